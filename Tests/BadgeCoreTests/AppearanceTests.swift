// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("The keys that changed")
struct ChangedKeysTests {
  private func keys(
    _ change: (inout BadgeBook) throws -> Void
  ) rethrows -> String {
    var book = BadgeBook()
    _ = try? book.setCount(5, for: "mail")
    let before = book.appearance(of: "mail")
    try change(&book)
    let changed = book.appearance(of: "mail")?.changedKeys(from: before)
    return changed?.map(\.name).joined(separator: " ") ?? "gone"
  }

  @Test("are all that can be read, for a new badge")
  func areAll() throws {
    var book = BadgeBook()
    _ = try book.setCount(5, for: "mail")
    #expect(book.appearance(of: "mail")?.changedKeys(from: nil) == .readable)
  }

  @Test("are those whose value differs")
  func areThose() throws {
    #expect(keys { _ in } == "")
    #expect(try keys { _ = try $0.setCount(6, for: "mail") } == "count label")
    #expect(try keys { _ = try $0.setCount(0, for: "mail") } == "count label visible")
    #expect(try keys { _ = try $0.setText("v2", for: "mail") } == "kind count text label")
    #expect(try keys { _ = try $0.setDot(for: "mail") } == "kind count label")
    #expect(try keys { _ = try $0.setSource("a", to: 1, for: "mail") } == "count sources label")
    #expect(keys { _ = $0.setQuiet(true) } == "visible")
    #expect(try keys { _ = try $0.remove("mail") } == "gone")
    #expect(
      try keys {
        _ = try $0.update(
          "mail",
          [
            ("max", .integer(3)), ("hide-at-zero", .boolean(false)),
            ("dismissable", .boolean(false)),
            ("urgent", .boolean(true)), ("animate", .boolean(false)), ("grow", .string("head")),
          ]
        )
      } == "label hide-at-zero max urgent dismissable animate grow"
    )
    #expect(
      try keys {
        _ = try $0.dismiss("mail")
        _ = try $0.setCount(5, for: "mail")
      } == "visible dismissed"
    )
  }

  @Test("hold each key that Update takes and that was given another value")
  func holdEach() throws {
    let changes: [(String, PropertyValue)] = [
      ("progress", .double(0.5)), ("description", .string("d")), ("icon", .string("i")),
      ("animation-appear", .string("pop")), ("animation-change", .string("pop")),
      ("animation-disappear", .string("pop")), ("background", .string("#123")),
      ("foreground", .string("#123")), ("font", .string("f")), ("font-size", .double(1)),
      ("padding", .double(1)), ("min-size", .double(1)), ("fit", .string("shrink")),
      ("anchor", .string("center")), ("offset-x", .double(1)), ("offset-y", .double(1)),
    ]
    for change in changes {
      #expect(try keys { _ = try $0.update("mail", [change]) } == change.0)
    }
    #expect(try keys { _ = try $0.update("mail", [("while-pid", .integer(1))]) } == "")
  }

  @Test("hold ttl when it was set or ended, and not as the seconds pass")
  func holdTTL() throws {
    var book = BadgeBook()
    _ = try book.update("mail", [("count", .integer(1)), ("ttl", .double(60))], now: 0)
    let first = try #require(book.appearance(of: "mail"))
    _ = try book.setCount(2, for: "mail")
    let second = try #require(book.appearance(of: "mail"))
    #expect(Array(second.changedKeys(from: first)) == [.count, .label])
    _ = try book.update("mail", [("ttl", .double(60))], now: 1)
    let third = try #require(book.appearance(of: "mail"))
    #expect(Array(third.changedKeys(from: second)) == [.ttl])
    _ = try book.update("mail", [("ttl", .double(0))], now: 1)
    #expect(Array(try #require(book.appearance(of: "mail")).changedKeys(from: third)) == [.ttl])
  }

  @Test("hold origin when an app's badge is covered or uncovered")
  func holdOrigin() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5), for: "mail")
    let app = book.appearance(of: "mail")
    _ = try book.setCount(5, for: "mail")
    #expect(book.appearance(of: "mail").map { Array($0.changedKeys(from: app)) } == [.origin])
  }

  @Test("are none after a change that ends where it began")
  func areNone() throws {
    #expect(
      try keys {
        _ = try $0.update("mail", [("preset", .string("counter")), ("urgent", .boolean(true))])
        _ = try $0.setText("v2", for: "mail")
        _ = try $0.update(
          "mail",
          [("preset", .string("badge")), ("urgent", .boolean(false)), ("count", .integer(5))]
        )
      } == ""
    )
  }
}

// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("Limits")
struct LimitTests {
  @Test("hold for native badges; what exists can still be changed and removed")
  func holdForBadges() throws {
    var book = BadgeBook()
    for number in 0..<BadgeLimits.nativeBadges - 1 {
      _ = try book.setCount(1, for: BadgeID("n\(number)"))
    }
    _ = try book.update("placeholder", [("icon", .string("i"))])
    _ = try book.announce(AppAnnouncement(count: 1), for: "app")
    let before = book.badges.count
    let refused: [(inout BadgeBook) throws -> Void] = [
      { _ = try $0.setCount(1, for: "more") },
      { _ = try $0.setText("v2", for: "more") },
      { _ = try $0.setDot(for: "more") },
      { _ = try $0.setSource("a", to: 1, for: "more") },
      { _ = try $0.increment("more") },
      { _ = try $0.incrementSource("a", of: "more") },
      { _ = try $0.update("more", [("count", .integer(1))]) },
      { _ = try $0.update("more", [("icon", .string("i"))]) },
      { _ = try $0.setCount(1, for: "app") },
      { _ = try $0.decrement("app") },
    ]
    for call in refused {
      #expect(throws: BadgeError.limitReached("4096 native badges; remove one first")) {
        try call(&book)
      }
      #expect(book.badges.count == before && book["app"]?.origin == .launcherEntry)
    }
    #expect(try book.setCount(2, for: "n0") == .updated("n0"))
    #expect(try book.setCount(2, for: "placeholder") == .updated("placeholder"))
    #expect(try book.update("app", [("icon", .string("i"))]) == .updated("app"))
    _ = try book.remove("n0")
    #expect(try book.setCount(1, for: "more") == .updated("more"))
    #expect(failure { () throws(BadgeError) in try book.setCount(1, for: "n0") } != nil)
    _ = try book.dismiss("more")
    #expect(try book.setCount(1, for: "n0") == .updated("n0"))
  }

  @Test("give room when an app takes the place of a badge that has no value")
  func giveRoom() throws {
    var book = BadgeBook()
    _ = try book.update("app", [])
    for number in 1..<BadgeLimits.nativeBadges {
      _ = try book.setCount(1, for: BadgeID("n\(number)"))
    }
    #expect(failure { () throws(BadgeError) in try book.setDot(for: "more") } != nil)
    _ = try book.announce(AppAnnouncement(count: 1), for: "app")
    #expect(try book.setDot(for: "more") == .updated("more"))
  }

  @Test("hold for the named sources of a call: as many as a badge has, and as many to drop")
  func holdForSourcesOfACall() throws {
    var book = BadgeBook()
    func entries(_ range: Range<Int>, _ count: Int64) -> [SourceEntry] {
      range.map { SourceEntry(name: "s\($0)", value: .integer(count)) }
    }
    let half = BadgeLimits.sourcesPerBadge
    _ = try book.update("mail", [("sources", .sources(entries(0..<half, 1)))])
    let turned = entries(0..<half, 0) + entries(half..<2 * half, 1)
    let unnamed = SourceEntry(name: "", value: .integer(5))
    _ = try book.update("mail", [("sources", .sources(turned + [unnamed]))])
    #expect(book["mail"]?.count == Int64(half) + 5)
    let more = entries(0..<BadgeLimits.sourcesPerCall + 1, 0)
    let refusal = BadgeError.limitReached("128 named sources a call")
    #expect(throws: refusal) { try book.update("mail", [("sources", .sources(more))]) }
  }

  @Test("hold for the named sources of a badge")
  func holdForSources() throws {
    var book = BadgeBook()
    for number in 0..<BadgeLimits.sourcesPerBadge {
      _ = try book.setSource("s\(number)", to: 1, for: "mail")
    }
    let expected = BadgeError.limitReached("64 named sources a badge; set one to 0 first")
    let before = book["mail"]
    #expect(
      failure { () throws(BadgeError) in try book.setSource("more", to: 1, for: "mail") }
        == expected
    )
    #expect(
      failure { () throws(BadgeError) in try book.incrementSource("more", of: "mail") }
        == expected
    )
    #expect(
      failure { () throws(BadgeError) in
        try book.update("mail", [("sources", .counts(["": 9, "s0": 2, "more": 1]))])
      } == expected
    )
    #expect(book["mail"] == before)
    #expect(try book.setSource("more", to: 0, for: "mail") == .none)
    #expect(try book.setSource("s0", to: 2, for: "mail") == .updated("mail"))
    #expect(
      try book.update("mail", [("sources", .counts(["s0": 0, "more": 1]))]) == .updated("mail")
    )
    #expect(book["mail"]?.namedSources.count == 64)
    let many = (0...64).map { SourceEntry(name: "s\($0)", value: .integer(1)) }
    #expect(
      failure { () throws(BadgeError) in
        try book.update("new", [("sources", .sources(many))])
      } == expected
    )
    #expect(book["new"] == nil)
  }

  @Test("hold for all named sources together")
  func holdForAllSources() throws {
    var book = BadgeBook()
    for badge in 0..<64 {
      for source in 0..<64 {
        _ = try book.setSource("s\(source)", to: 1, for: BadgeID("n\(badge)"))
      }
    }
    let expected = BadgeError.limitReached("4096 named sources in all; set some to 0 first")
    #expect(
      failure { () throws(BadgeError) in try book.setSource("s", to: 1, for: "more") } == expected
    )
    #expect(book["more"] == nil)
    #expect(try book.setSource("s", to: 0, for: "more") == .updated("more"))
    #expect(
      failure { () throws(BadgeError) in
        try book.update("more", [("sources", .counts(["s": 1]))])
      } == expected
    )
    _ = try book.setSource("s0", to: 0, for: "n0")
    #expect(try book.setSource("s", to: 1, for: "more") == .updated("more"))
    _ = try book.remove("n1")
    #expect(try book.setSource("t", to: 1, for: "more") == .updated("more"))
    _ = try book.dismiss("n2")
    _ = book.clear("n3")
    #expect(book.storage.totals.namedSources == 4_096 - 1 + 1 + 1 - 3 * 64)
  }

  @Test("leave a plain badge small")
  func leaveSmall() throws {
    #expect(MemoryLayout<Badge>.size <= 56)
    #expect(MemoryLayout<BookStorage.Slot>.stride <= 64)
    var book = BadgeBook()
    _ = try book.setText("v2", for: "mail")
    #expect(book["mail"]?.isPlain == true)
  }
}

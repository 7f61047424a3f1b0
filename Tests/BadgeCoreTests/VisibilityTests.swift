// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("Visibility")
struct VisibilityTests {
  @Test(
    "of a number depends on zero, of a text or a dot it does not",
    arguments: [
      (UnnamedValue.number(1), true, true), (.number(0), true, false), (.number(-1), true, false),
      (.number(1), false, true), (.number(0), false, true), (.number(-1), false, true),
      (.dot, true, true), (.dot, false, true),
    ]
  )
  func dependsOnZero(value: UnnamedValue, hidesAtZero: Bool, expected: Bool) throws {
    var book = BadgeBook()
    _ = try book.set(value, for: "mail")
    _ = try book.update("mail", [("hide-at-zero", .boolean(hidesAtZero))])
    #expect(book.shows("mail") == expected)
    #expect(book.visibleCount == (expected ? 1 : 0))
    _ = try book.setText("v2", for: "mail")
    #expect(book.shows("mail"))
    _ = book.setQuiet(true)
    #expect(!book.shows("mail"))
    #expect(book.read(.visible, of: "mail") == .boolean(false))
    #expect(book.visibleCount == 0 && book.total == 0)
  }

  @Test("is the same in whatever order value and policy are set")
  func hasNoOrder() throws {
    let steps: [(inout BadgeBook) throws -> Void] = [
      { _ = try $0.update("mail", [("hide-at-zero", .boolean(false))]) },
      { _ = try $0.update("mail", [("urgent", .boolean(true))]) },
      { _ = try $0.setSource("a", to: -5, for: "mail") },
      { _ = try $0.setSource("b", to: 5, for: "mail") },
      { _ = $0.setQuiet(false) },
    ]
    for order in permutations(of: Array(steps.indices)) {
      var book = BadgeBook()
      _ = book.setQuiet(true)
      for step in order { try steps[step](&book) }
      #expect(book.shows("mail") && book.visibleCount == 1 && book.total == 0, "\(order)")
      _ = try book.update("mail", [("hide-at-zero", .boolean(true))])
      #expect(!book.shows("mail") && book.visibleCount == 0, "\(order)")
    }
  }

  @Test("of a hidden badge comes back with style and policy")
  func comesBack() throws {
    var book = BadgeBook()
    _ = try book.update(
      "mail",
      [("count", .integer(3)), ("background", .string("#123")), ("max", .integer(2))]
    )
    _ = try book.setCount(0, for: "mail")
    #expect(!book.shows("mail"))
    _ = try book.setCount(3, for: "mail")
    #expect(book.shows("mail"))
    #expect(book["mail"]?.label == "2+")
    #expect(book.read(.background, of: "mail") == .string("#112233"))
  }

  private func permutations(of items: [Int]) -> [[Int]] {
    guard items.count > 1 else { return [items] }
    return items.flatMap { first in
      permutations(of: items.filter { $0 != first }).map { [first] + $0 }
    }
  }
}

@Suite("Quiet")
struct QuietTests {
  @Test("names the badges that it shows or hides, and no others")
  func namesBadges() throws {
    var book = BadgeBook()
    _ = try book.setCount(5, for: "shown")
    _ = try book.setCount(0, for: "hidden")
    #expect(!book.isQuiet)
    #expect(book.setQuiet(false) == .none)
    #expect(book.setQuiet(true) == .updated("shown"))
    #expect(book.setQuiet(true) == .none)
    #expect(book.isQuiet)
    _ = try book.setCount(7, for: "shown")
    _ = try book.setDot(for: "dot")
    guard case .several(let changes) = book.setQuiet(false) else {
      Issue.record("two badges come back")
      return
    }
    #expect(Set(changes) == [.updated("shown"), .updated("dot")])
    #expect(book.total == 7 && book.visibleCount == 2)
  }
}

@Suite("Totals")
struct TotalTests {
  @Test("add up the visible numbers, and saturate only as they are read")
  func addUp() throws {
    var book = BadgeBook()
    _ = try book.setCount(5, for: "a")
    _ = try book.setText("v2", for: "b")
    _ = try book.setSource("s", to: 9, for: "b")
    _ = try book.setDot(for: "c")
    _ = try book.update("d", [("count", .integer(-2)), ("hide-at-zero", .boolean(false))])
    #expect(book.total == 3 && book.visibleCount == 4)
    for number in 0..<3_000 {
      _ = try book.setCount(BadgeCount.maximum, for: BadgeID("big\(number)"))
    }
    #expect(book.total == BadgeCount.maximum)
    for number in 0..<3_000 {
      _ = try book.remove(BadgeID("big\(number)"))
    }
    #expect(book.total == 3 && book.visibleCount == 4)
    for number in 0..<3 {
      _ = try book.update(
        BadgeID("low\(number)"),
        [("count", .integer(BadgeCount.minimum)), ("hide-at-zero", .boolean(false))]
      )
    }
    #expect(book.total == BadgeCount.minimum)
    #expect(book.removeAll().count == 7)
    #expect(book.total == 0 && book.visibleCount == 0)
  }
}

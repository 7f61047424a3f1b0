// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("A badge's value")
struct ValueTests {
  @Test(
    "set as a text is a number where the text reads as one",
    arguments: [
      ("5", "number", 5, "5"), ("0", "number", 0, "0"), ("1000", "number", 1000, "999+"),
      ("9007199254740991", "number", BadgeCount.maximum, "999+"),
      ("9007199254740992", "text", 0, "9007199254740992"),
      ("99999999999999999999", "text", 0, "99999999999999999999"), ("-3", "text", 0, "-3"),
      ("007", "text", 0, "007"), ("v2", "text", 0, "v2"), (" ", "text", 0, " "),
      ("•", "text", 0, "•"),
    ] as [(String, String, Int64, String)]
  )
  func isRead(text: String, kind: String, count: Int64, label: String) throws {
    var book = BadgeBook()
    #expect(try book.setText(text, for: "mail") == .updated("mail"))
    var other = BadgeBook()
    #expect(try other.update("mail", [("text", .string(text))]) == .updated("mail"))
    for book in [book, other] {
      #expect(book["mail"]?.kind.rawValue == kind)
      #expect(book["mail"]?.count == count)
      #expect(book["mail"]?.label == label)
      #expect(book["mail"]?.text == (kind == "text" ? text : ""))
    }
  }

  @Test("refuses texts that are too long or hold control characters")
  func refusesTexts() {
    var book = BadgeBook()
    for text in [String(repeating: "x", count: 257), "a\u{1B}[1m", "\u{0}"] {
      let error = failure { () throws(BadgeError) in try book.setText(text, for: "mail") }
      #expect(error?.message.hasPrefix("text: '") == true)
    }
    #expect(book.badges.isEmpty)
  }

  @Test("is a dot, and not a badge at all")
  func isDot() throws {
    var book = BadgeBook()
    #expect(book["mail"] == nil)
    #expect(try book.setDot(for: "mail") == .updated("mail"))
    #expect(book["mail"]?.kind == .dot)
    #expect(book["mail"]?.label == "")
    #expect(book["mail"]?.count == 0)
    #expect(book.shows("mail"))
    #expect(try book.setDot(for: "mail") == .none)
    #expect(try book.update("mail", [("kind", .string("dot"))]) == .none)
  }

  @Test("changes nothing when it is set again")
  func changesNothing() throws {
    var book = BadgeBook()
    _ = try book.setCount(5, for: "mail")
    #expect(try book.setCount(5, for: "mail") == .none)
    #expect(try book.setText("5", for: "mail") == .none)
    #expect(try book.setSource("", to: 5, for: "mail") == .none)
    #expect(try book.update("mail", [("count", .integer(5))]) == .none)
    #expect(try book.setCount(6, for: "mail") == .updated("mail"))
    _ = try book.setText("é", for: "mail")
    #expect(try book.setText("é", for: "mail") == .none)
    #expect(try book.setText("e\u{301}", for: "mail") == .updated("mail"))
  }

  @Test(
    "is refused beyond the bounds",
    arguments: [BadgeCount.maximum + 1, BadgeCount.minimum - 1, .max, .min]
  )
  func isRefused(count: Int64) {
    var book = BadgeBook()
    let expected = BadgeError.invalidValue(
      key: "count",
      value: .integer(count),
      expected: "a whole number within ±9007199254740991"
    )
    #expect(failure { () throws(BadgeError) in try book.setCount(count, for: "a") } == expected)
    #expect(
      failure { () throws(BadgeError) in try book.setSource("s", to: count, for: "a") } == expected
    )
    #expect(book.badges.isEmpty)
  }

  @Test(
    "has a label that is capped above max",
    arguments: [
      (999, 999, "999"), (1_000, 999, "999+"), (1_000, 0, "1000"), (5, 5, "5"), (6, 5, "5+"),
      (-7, 5, "-7"), (BadgeCount.maximum, 0, "9007199254740991"),
      (BadgeCount.maximum, .max, "9007199254740991"),
      (1, 0, "1"), (2, 1, "1+"), (0, 5, "0"),
    ] as [(Int64, Int64, String)]
  )
  func hasLabel(count: Int64, max: Int64, label: String) throws {
    var book = BadgeBook()
    _ = try book.update("mail", [("count", .integer(count)), ("max", .integer(max))])
    #expect(book["mail"]?.label == label)
    #expect(book["mail"]?.count == count)
  }

  @Test("counts up, and creates the badge for it")
  func countsUp() throws {
    var book = BadgeBook()
    let first = try book.increment("mail", by: 2)
    #expect(first.count == 2 && first.change == .updated("mail"))
    #expect(try book.increment("mail").count == 3)
    let none = try book.increment("mail", by: 0)
    #expect(none.count == 3 && none.change == .none)
    #expect(try book.increment("mail", by: .max).count == BadgeCount.maximum)
    #expect(try book.increment("mail", by: 1).change == .none)
  }

  @Test("counts down to zero, and stays as it is below")
  func countsDown() throws {
    var book = BadgeBook()
    _ = try book.setCount(5, for: "mail")
    #expect(try book.decrement("mail", by: 2).count == 3)
    #expect(try book.decrement("mail").count == 2)
    #expect(try book.decrement("mail", by: .max).count == 0)
    let none = try book.decrement("mail")
    #expect(none.count == 0 && none.change == .none)
    _ = try book.setCount(-3, for: "mail")
    #expect(try book.decrement("mail").count == -3)
    #expect(try book.increment("mail").count == -2)
  }

  @Test("counts from zero where it was a text or a dot")
  func countsFromZero() throws {
    var book = BadgeBook()
    _ = try book.setText("v2", for: "text")
    _ = try book.setDot(for: "dot")
    #expect(try book.increment("text", by: 3).count == 3)
    #expect(try book.decrement("dot", by: 3).count == 0)
    #expect(book["text"]?.kind == .number)
    #expect(book["dot"]?.kind == .number)
  }

  @Test("counts by 0 or above alone")
  func refusesNegativeAmounts() throws {
    var book = BadgeBook()
    _ = try book.setCount(5, for: "mail")
    let expected = BadgeError.invalidValue(
      key: "by",
      value: .integer(-1),
      expected: "a whole number of 0 or above"
    )
    #expect(failure { () throws(BadgeError) in try book.increment("mail", by: -1) } == expected)
    #expect(failure { () throws(BadgeError) in try book.decrement("mail", by: -1) } == expected)
    #expect(
      failure { () throws(BadgeError) in try book.incrementSource("a", of: "mail", by: -1) }
        == expected
    )
    #expect(
      failure { () throws(BadgeError) in try book.decrementSource("a", of: "mail", by: -1) }
        == expected
    )
    #expect(book["mail"]?.count == 5)
  }

  @Test("can't be counted down where there is no badge")
  func needsBadge() {
    var book = BadgeBook()
    #expect(
      failure { () throws(BadgeError) in try book.decrement("mail") } == .noSuchBadge("mail")
    )
    #expect(
      failure { () throws(BadgeError) in try book.decrementSource("a", of: "mail") }
        == .noSuchBadge("mail")
    )
    #expect(failure { () throws(BadgeError) in try book.badge("mail") } == .noSuchBadge("mail"))
    #expect(book.badges.isEmpty)
  }

  @Test("is cleared to number 0, with urgency and progress, and keeps style and policy")
  func isCleared() throws {
    for clear in ["clear", "empty text", "update"] {
      var book = BadgeBook()
      _ = try book.update(
        "mail",
        [
          ("text", .string("v2")), ("urgent", .boolean(true)), ("progress", .double(0.5)),
          ("sources", .counts(["a": 2])), ("max", .integer(9)), ("background", .string("#123456")),
          ("hide-at-zero", .boolean(false)), ("ttl", .double(5)),
        ]
      )
      let change =
        switch clear {
        case "clear": book.clear("mail")
        case "empty text": try book.setText("", for: "mail")
        default: try book.update("mail", [("text", .string(""))])
        }
      #expect(change == .updated("mail"))
      let badge = try book.badge("mail")
      #expect(badge.kind == .number && badge.count == 0 && badge.sources.isEmpty)
      #expect(!badge.isUrgent && badge.progress == nil)
      #expect(badge.maximum == 9 && badge.style.background == BadgeColor("#123456"))
      #expect(badge.deadline == 5_000_000_000)
      #expect(badge.isVisible(quiet: false))
      #expect(book.clear("mail") == .none)
    }
  }

  @Test("of no badge is cleared without a word")
  func clearsNothing() throws {
    var book = BadgeBook()
    #expect(book.clear("mail") == .none)
    #expect(try book.setText("", for: "mail") == .none)
    #expect(try book.update("mail", [("text", .string(""))]) == .none)
    #expect(book.acknowledge("mail") == .none)
    #expect(book.badges.isEmpty && book.unsaved.isEmpty)
  }

  @Test("may be cleared and given other keys in one call")
  func clearsAndSets() throws {
    var book = BadgeBook()
    _ = try book.update("new", [("text", .string("")), ("icon", .string("i"))])
    #expect(book["new"]?.isPlaceholder == true)
    _ = try book.update("mail", [("count", .integer(5)), ("sources", .counts(["a": 1, "b": 1]))])
    _ = try book.update(
      "mail",
      [("text", .string("")), ("urgent", .boolean(true)), ("sources", .counts(["a": 7]))]
    )
    #expect(book["mail"]?.count == 7)
    #expect(book["mail"]?.isUrgent == true)
  }

  @Test("is set once in a call")
  func isSetOnce() {
    let values: [(String, PropertyValue)] = [
      ("count", .integer(5)), ("text", .string("v2")), ("kind", .string("dot")),
      ("sources", .counts(["": 5])),
    ]
    for (index, first) in values.enumerated() {
      for second in values[(index + 1)...] {
        let error = failure { () throws(BadgeError) in try BadgeUpdate([first, second]) }
        #expect(error?.name == "InvalidValue")
        #expect(error?.message.hasPrefix("'\(second.0)' sets the unnamed source a second") == true)
      }
    }
    #expect(
      failure { () throws(BadgeError) in
        try BadgeUpdate([("text", .string("")), ("count", .integer(5))])
      }?.name == "InvalidValue"
    )
    #expect(
      failure { () throws(BadgeError) in
        try BadgeUpdate("sources", .counts(["": 1, "": 2]))
      }?.name == "InvalidValue"
    )
  }
}

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

// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("Dismissing")
struct DismissalTests {
  @Test("takes the badge away and keeps style and policy for its return")
  func takesAway() throws {
    var book = BadgeBook()
    _ = try book.update(
      "mail",
      [
        ("count", .integer(5)), ("urgent", .boolean(true)), ("progress", .double(0.5)),
        ("ttl", .double(9)), ("while-pid", .integer(7)), ("max", .integer(3)),
        ("background", .string("#123")), ("description", .string("Mail")),
        ("hide-at-zero", .boolean(false)),
      ]
    )
    #expect(try book.dismiss("mail") == .removed("mail", .dismissed))
    #expect(book["mail"] == nil)
    #expect(book.total == 0 && book.visibleCount == 0)
    #expect(book.nextDeadline == nil && book.watchedProcesses.isEmpty)
    #expect(try book.setCount(6, for: "mail") == .updated("mail"))
    let badge = try book.badge("mail")
    #expect(badge.count == 6 && !badge.isDismissed && book.shows("mail"))
    #expect(!badge.isUrgent && badge.progress == nil)
    #expect(badge.deadline == nil && badge.owner == nil)
    #expect(badge.maximum == 3 && badge.caption == "Mail" && !badge.hidesAtZero)
    #expect(badge.style.background == BadgeColor("#123"))
  }

  @Test("is refused where a person may not, and where there is no badge")
  func isRefused() throws {
    var book = BadgeBook()
    #expect(failure { () throws(BadgeError) in try book.dismiss("mail") } == .noSuchBadge("mail"))
    _ = try book.update("mail", [("count", .integer(5)), ("dismissable", .boolean(false))])
    #expect(
      failure { () throws(BadgeError) in try book.dismiss("mail") } == .notDismissable("mail")
    )
    #expect(book["mail"]?.count == 5)
  }

  @Test("is not undone by the same value, until it differs")
  func isNotUndone() throws {
    var book = BadgeBook()
    _ = try book.setCount(5, for: "mail")
    _ = try book.dismiss("mail")
    #expect(try book.setCount(5, for: "mail") == .updated("mail"))
    for _ in 0..<3 {
      #expect(book["mail"]?.isDismissed == true)
      #expect(!book.shows("mail") && book.visibleCount == 0 && book.total == 0)
      #expect(book.read(.dismissed, of: "mail") == .boolean(true))
      #expect(try book.setCount(5, for: "mail") == .none)
      #expect(try book.update("mail", [("count", .integer(5))]) == .none)
    }
    #expect(try book.setCount(6, for: "mail") == .updated("mail"))
    #expect(book["mail"]?.isDismissed == false && book.shows("mail"))
    #expect(try book.setCount(5, for: "mail") == .updated("mail"))
    #expect(book.shows("mail"))
  }

  /// The value that is dismissed, the one that is set then, and whether the badge stays hidden.
  private static let values: [(UnnamedValue?, UnnamedValue?, Bool)] = {
    let texts = ["v2", "é", "e\u{301}"].map { text in
      try? UnnamedValue.reading(text)
    }
    let values = [UnnamedValue.number(0), .number(5), .number(-5), .dot] + texts
    return values.flatMap { first in values.map { (first, $0, first == $0) } }
  }()

  @Test("compares whatever the unnamed source holds", arguments: values)
  func compares(dismissed: UnnamedValue?, set: UnnamedValue?, staysHidden: Bool) throws {
    var book = BadgeBook()
    _ = try book.set(#require(dismissed), for: "mail")
    _ = try book.update("mail", [("hide-at-zero", .boolean(false))])
    _ = try book.dismiss("mail")
    _ = try book.set(#require(set), for: "mail")
    #expect(book["mail"]?.isDismissed == staysHidden)
    #expect(book.shows("mail") == !staysHidden)
  }

  @Test("compares each source as it was")
  func comparesSources() throws {
    var book = BadgeBook()
    _ = try book.setSource("a", to: 3, for: "mail")
    _ = try book.setSource("b", to: 2, for: "mail")
    _ = try book.dismiss("mail")
    _ = try book.setSource("a", to: 3, for: "mail")
    #expect(book["mail"]?.isDismissed == true && book["mail"]?.count == 3)
    _ = try book.setSource("b", to: 2, for: "mail")
    #expect(book["mail"]?.isDismissed == true && book["mail"]?.count == 5)
    _ = try book.setSource("c", to: 0, for: "mail")
    _ = try book.setCount(0, for: "mail")
    #expect(book["mail"]?.isDismissed == true)
    var other = book
    _ = try other.setSource("b", to: 0, for: "mail")
    #expect(other["mail"]?.isDismissed == false && other["mail"]?.count == 3)
    _ = try book.setSource("c", to: 1, for: "mail")
    #expect(book["mail"]?.isDismissed == false && book["mail"]?.count == 6)
  }

  @Test("compares all sources of one Update")
  func comparesUpdate() throws {
    var book = BadgeBook()
    _ = try book.update("mail", [("sources", .counts(["": 1, "a": 3, "b": 2]))])
    _ = try book.dismiss("mail")
    var other = book
    _ = try book.update("mail", [("sources", .counts(["b": 2, "": 1]))])
    #expect(book["mail"]?.isDismissed == true)
    _ = try other.update("mail", [("sources", .counts(["": 1, "a": 3, "b": 7]))])
    #expect(other["mail"]?.isDismissed == false && other["mail"]?.count == 11)
  }

  @Test("a second time remembers also what was not set again in between")
  func remembersBoth() throws {
    var book = BadgeBook()
    _ = try book.update("mail", [("sources", .counts(["a": 3, "b": 2]))])
    _ = try book.dismiss("mail")
    _ = try book.setSource("a", to: 3, for: "mail")
    #expect(try book.dismiss("mail") == .removed("mail", .dismissed))
    _ = try book.setSource("b", to: 2, for: "mail")
    _ = try book.setSource("a", to: 3, for: "mail")
    #expect(book["mail"]?.isDismissed == true && book["mail"]?.count == 5)
  }

  @Test("is undone by counting up, and by counting down to another value")
  func isUndoneByCounting() throws {
    var book = BadgeBook()
    _ = try book.setCount(1, for: "mail")
    _ = try book.dismiss("mail")
    var other = book
    // An increment is news, even if it leads to the dismissed number.
    #expect(try book.increment("mail", by: 1).count == 1)
    #expect(book["mail"]?.isDismissed == false && book.shows("mail"))
    _ = try other.setCount(1, for: "mail")
    #expect(try other.increment("mail", by: 0).change == .none)
    #expect(other["mail"]?.isDismissed == true)
    #expect(try other.decrement("mail").count == 0)
    #expect(other["mail"]?.isDismissed == false)
    var sources = BadgeBook()
    _ = try sources.setSource("a", to: 1, for: "mail")
    _ = try sources.dismiss("mail")
    #expect(try sources.incrementSource("a", of: "mail").count == 1)
    #expect(sources.shows("mail"))
  }

  @Test("is forgotten when the badge is cleared, so that the next value shows")
  func isForgottenByClear() throws {
    for isBack in [false, true] {
      var book = BadgeBook()
      _ = try book.update("mail", [("count", .integer(1)), ("max", .integer(7))])
      _ = try book.dismiss("mail")
      if isBack { _ = try book.setCount(1, for: "mail") }
      #expect(book.clear("mail") == (isBack ? .updated("mail") : .none))
      _ = try book.setCount(1, for: "mail")
      #expect(book.shows("mail"))
      #expect(book["mail"]?.maximum == 7)
    }
  }

  @Test("of a badge at zero is not forgotten by clearing it")
  func isKeptAtZero() throws {
    for isBack in [false, true] {
      var book = BadgeBook()
      _ = try book.update("mail", [("count", .integer(0)), ("hide-at-zero", .boolean(false))])
      _ = try book.dismiss("mail")
      if isBack { _ = try book.setCount(0, for: "mail") }
      #expect(book.clear("mail") == .none)
      _ = try book.setCount(0, for: "mail")
      #expect(book["mail"]?.isDismissed == true)
    }
  }

  @Test("is forgotten with the badge")
  func isForgottenByRemove() throws {
    var book = BadgeBook()
    _ = try book.setCount(5, for: "mail")
    _ = try book.dismiss("mail")
    _ = try book.setCount(5, for: "mail")
    #expect(try book.remove("mail") == .removed("mail", .removed))
    _ = try book.setCount(5, for: "mail")
    #expect(book.shows("mail"))
  }

  @Test("is not undone by style alone")
  func isNotUndoneByStyle() throws {
    var book = BadgeBook()
    _ = try book.setCount(5, for: "mail")
    _ = try book.update("mail", [("hide-at-zero", .boolean(false))])
    _ = try book.dismiss("mail")
    _ = try book.update("mail", [("background", .string("#123"))])
    #expect(book["mail"]?.isDismissed == true && book["mail"]?.isPlaceholder == true)
    #expect(!book.shows("mail"))
    _ = try book.setCount(5, for: "mail")
    #expect(book["mail"]?.isDismissed == true)
    _ = try book.update("mail", [("text", .string("")), ("icon", .string("i"))])
    #expect(book["mail"]?.isDismissed == false && book.shows("mail"))
  }

  @Test("may be urgent and make progress while it is hidden")
  func mayBeUrgent() throws {
    var book = BadgeBook()
    _ = try book.setCount(5, for: "mail")
    _ = try book.dismiss("mail")
    _ = try book.setCount(5, for: "mail")
    #expect(try book.update("mail", [("urgent", .boolean(true))]) == .updated("mail"))
    #expect(!book.shows("mail") && book["mail"]?.isUrgent == true)
    #expect(book.acknowledge("mail") == .updated("mail"))
    #expect(book.acknowledge("mail") == .none)
  }

  @Test("is remembered 4,096 times, the oldest forgotten first")
  func isBounded() throws {
    var book = BadgeBook()
    for number in 0...BadgeLimits.dismissals {
      let id = try BadgeID("n\(number)")
      _ = try book.update(id, [("count", .integer(5)), ("max", .integer(7))])
      _ = try book.dismiss(id)
    }
    #expect(book.record(for: "n0") == nil)
    #expect(book.unsaved.contains("n0"))
    _ = try book.setCount(5, for: "n0")
    #expect(book.shows("n0") && book["n0"]?.maximum == 999)
    _ = try book.setCount(5, for: "n1")
    #expect(book["n1"]?.isDismissed == true && book["n1"]?.maximum == 7)
    // Dismissed again, it is the newest: the one after it is forgotten next.
    _ = try book.dismiss("n1")
    _ = try book.dismiss("n0")
    _ = try book.setCount(5, for: "n2")
    #expect(book["n2"]?.isDismissed == false)
    _ = try book.setCount(5, for: "n1")
    #expect(book["n1"]?.isDismissed == true)
  }

  @Test("that is forgotten while its badge is there still hides what the badge holds")
  func outlivesItsMemory() throws {
    var book = BadgeBook()
    _ = try book.setCount(5, for: "mail")
    _ = try book.dismiss("mail")
    _ = try book.setCount(5, for: "mail")
    for number in 0..<BadgeLimits.dismissals {
      let id = try BadgeID("n\(number)")
      _ = try book.setDot(for: id)
      _ = try book.dismiss(id)
    }
    #expect(book.record(for: "mail")?.dismissal == nil)
    #expect(try book.setCount(5, for: "mail") == .none)
    #expect(book["mail"]?.isDismissed == true)
    #expect(try book.setCount(6, for: "mail") == .updated("mail"))
    #expect(book.shows("mail"))
  }

  @Test("of many named sources is bounded by their number too")
  func boundsSources() throws {
    var book = BadgeBook()
    for number in 0...64 {
      let id = try BadgeID("n\(number)")
      for source in 0..<64 { _ = try book.setSource("s\(source)", to: 1, for: id) }
      _ = try book.dismiss(id)
    }
    #expect(book.record(for: "n0") == nil)
    #expect(book.record(for: "n1")?.dismissal?.native?.sources.count == 64)
  }
}

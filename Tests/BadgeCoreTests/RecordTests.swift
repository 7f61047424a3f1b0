// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("A record")
struct RecordTests {
  private func records(of book: BadgeBook) -> [BadgeRecord] {
    book.recordedIDs.compactMap { book.record(for: $0) }
  }

  @Test("of a plain badge holds its value and nothing else")
  func isSmall() throws {
    var book = BadgeBook()
    _ = try book.setCount(5, for: "mail")
    let record = try #require(book.record(for: "mail"))
    #expect(record.native == BadgeRecord.Native(unnamed: .number(5)))
    #expect(record.settings.isEmpty && record.dismissal == nil && record.app == nil)
    #expect(record.deadline == nil && record.owner == nil && record.keptAge == nil)
    #expect(!record.isEmpty && BadgeRecord(id: "mail").isEmpty)
    #expect(book.record(for: "other") == nil)
  }

  @Test("of a badge of which everything is set gives the same badge")
  func givesTheSame() throws {
    var book = BadgeBook()
    _ = try book.update(
      "mail",
      [
        ("text", .string("v2")), ("sources", .counts(["a": 3, "é": -2])), ("max", .integer(5)),
        ("hide-at-zero", .boolean(false)), ("dismissable", .boolean(false)),
        ("urgent", .boolean(true)), ("progress", .double(0.5)), ("description", .string("d")),
        ("icon", .string("i")), ("ttl", .double(60)), ("while-pid", .integer(7)),
        ("preset", .string("counter")), ("foreground", .string("#1234")),
      ].filter { $0.0 != "foreground" }
    )
    _ = try book.update("plain", [("hide-at-zero", .boolean(false))])
    _ = try book.setDot(for: "dot")
    let restored = BadgeBook(records: records(of: book))
    for id in ["mail", "plain", "dot"] as [BadgeID] {
      #expect(restored[id] == book[id])
      #expect(restored.record(for: id) == book.record(for: id))
    }
    #expect(restored.nextDeadline == book.nextDeadline)
    #expect(Set(restored.watchedProcesses) == Set(book.watchedProcesses))
    #expect(restored.storage.totals == book.storage.totals)
    #expect(restored.unsaved.isEmpty)
  }

  @Test("of a dismissed id gives the same dismissal, in the order of their age")
  func givesDismissals() throws {
    var book = BadgeBook()
    for id in ["c", "a", "b"] as [BadgeID] {
      _ = try book.update(id, [("count", .integer(5)), ("max", .integer(3))])
      _ = try book.dismiss(id)
    }
    _ = try book.setCount(5, for: "a")
    var restored = BadgeBook(records: records(of: book))
    #expect(restored["a"] == book["a"] && restored["a"]?.isDismissed == true)
    let ages = (["c", "a", "b"] as [BadgeID]).compactMap {
      restored.record(for: $0)?.dismissal?.age
    }
    #expect(ages.count == 3 && ages == ages.sorted())
    _ = try restored.setCount(5, for: "b")
    #expect(restored["b"]?.isDismissed == true && restored["b"]?.maximum == 3)
    _ = try restored.setCount(6, for: "c")
    #expect(restored.shows("c"))
  }

  @Test("of an app's badge holds what the app itself does not say")
  func holdsAppState() throws {
    var book = BadgeBook()
    let announcement = AppAnnouncement(count: 5, isUrgent: true)
    _ = try book.announce(announcement, for: "plain")
    #expect(book.record(for: "plain") == nil)
    _ = try book.announce(announcement, for: "app")
    _ = try book.update("app", [("background", .string("#123")), ("ttl", .double(60))])
    _ = book.acknowledge("app")
    _ = try book.announce(announcement, for: "removed")
    _ = try book.remove("removed")
    _ = try book.announce(announcement, for: "dismissed")
    _ = try book.dismiss("dismissed")
    _ = try book.announce(announcement, for: "left")
    _ = try book.update("left", [("max", .integer(3))])
    _ = try book.announce(nil, for: "left")
    let before = book["app"]
    book = BadgeBook(records: records(of: book))
    #expect(book.badges.isEmpty && book.nextDeadline == nil)
    for id in ["app", "removed", "dismissed"] as [BadgeID] {
      _ = try book.announce(announcement, for: id, renewed: false)
    }
    #expect(book["app"] == before)
    #expect(book.nextDeadline == 60_000_000_000)
    #expect(book["removed"] == nil && book["dismissed"] == nil)
    #expect(try book.announce(announcement, for: "removed") == .updated("removed"))
    #expect(book["removed"]?.isUrgent == true)
    #expect(book.record(for: "left")?.settings == [BadgeSetting(key: .max, value: .integer(3))])
  }

  @Test("of an app that does not come back is forgotten when the caller says so")
  func forgetsUnannounced() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5), for: "app")
    _ = try book.remove("app")
    book = BadgeBook(records: records(of: book))
    #expect(book.record(for: "app")?.app?.isRemoved == true)
    var other = book
    book.forgetUnannounced()
    #expect(book.record(for: "app") == nil && book.unsaved == ["app"])
    _ = try other.announce(nil, for: "app")
    #expect(other.record(for: "app") == nil && other.unsaved == ["app"])
  }

  @Test("that removing everything leaves says that the app was removed")
  func staysRemoved() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5, isUrgent: true), for: "app")
    _ = book.acknowledge("app")
    book = BadgeBook(records: records(of: book))
    _ = book.removeAll()
    #expect(book.unsaved == ["app"])
    #expect(
      try book.announce(AppAnnouncement(count: 5, isUrgent: true), for: "app", renewed: false)
        == .none
    )
  }

  @Test("of a style that is kept has its age, so that the oldest is forgotten first")
  func keepsAges() throws {
    var book = BadgeBook()
    for id in ["left", "present"] as [BadgeID] {
      _ = try book.announce(AppAnnouncement(count: 1), for: id)
      _ = try book.update(id, [("max", .integer(3))])
    }
    _ = try book.announce(nil, for: "left")
    let age = try #require(book.record(for: "left")?.keptAge)
    #expect(book.record(for: "present")?.keptAge == nil)
    book = BadgeBook(records: records(of: book))
    #expect(book.record(for: "left")?.keptAge == age)
    #expect(book.record(for: "present")?.keptAge ?? 0 > age)
    #expect(book.unsaved == ["present"])
  }

  @Test("that can't be is left out and reported, or brought into range")
  func isLeftOut() throws {
    var tooMany = BadgeRecord(id: "too-many")
    let names = try (0...64).map { try SourceName("s\($0)", key: "source") }
    tooMany.native = BadgeRecord.Native(
      unnamed: .dot,
      sources: names.map { SourceCount(name: $0, count: 1) }
    )
    var wild = BadgeRecord(id: "wild")
    wild.native = BadgeRecord.Native(
      unnamed: .number(.max),
      sources: [SourceCount(name: names[0], count: .min)],
      progress: .nan
    )
    wild.settings = [
      BadgeSetting(key: .max, value: .integer(-1)),
      BadgeSetting(key: .grow, value: .string("head")),
      BadgeSetting(key: .label, value: .string("x")),
    ]
    wild.deadline = .min
    wild.dismissal = BadgeRecord.Dismissal(age: 0, native: nil, app: nil)
    var twice = BadgeRecord(id: "wild")
    twice.native = BadgeRecord.Native(unnamed: .dot)
    var many = BadgeRecord(id: "many")
    many.dismissal = BadgeRecord.Dismissal(
      age: 3,
      native: DismissedValue(
        unnamed: .number(1),
        sources: names.map { SourceCount(name: $0, count: 1) }
      ),
      app: nil
    )
    var old = BadgeRecord(id: "old")
    old.dismissal = BadgeRecord.Dismissal(age: .max, native: nil, app: 1)
    old.app = BadgeRecord.App(isUrgent: true, progress: .nan, isRemoved: false)
    var rejected: [BadgeID] = []
    var book = BadgeBook(records: [tooMany, wild, twice, many, old]) { rejected.append($0) }
    #expect(rejected.sorted() == ["too-many", "wild"])
    let badge = try book.badge("wild")
    #expect(badge.count == 0 && badge.unnamed == .number(BadgeCount.maximum))
    #expect(badge.namedSources.first?.count == BadgeCount.minimum)
    #expect(badge.progress == nil && badge.maximum == 999 && badge.style.grow == .head)
    #expect(book.record(for: "wild")?.dismissal == nil)
    #expect(book.record(for: "many")?.dismissal?.native?.sources.count == 64)
    #expect(badge.secondsLeft(now: .max) > 0)
    _ = try book.announce(AppAnnouncement(count: 2), for: "old")
    #expect(book["old"]?.isUrgent == true && book["old"]?.progress == nil)
    _ = try book.dismiss("old")
    #expect(book.record(for: "old")?.dismissal?.age ?? .max < 100)
    #expect(book.expire(now: 0) == .removed("wild", .expired))
  }

  @Test("beyond a limit is left out")
  func isBounded() throws {
    let records = try (0...BadgeLimits.nativeBadges).map { number in
      var record = BadgeRecord(id: try BadgeID("n\(number)"))
      record.native = BadgeRecord.Native(unnamed: .number(1))
      return record
    }
    var rejected = 0
    let book = BadgeBook(records: records) { _ in rejected += 1 }
    #expect(book.badges.count == BadgeLimits.nativeBadges && rejected == 1)
    let names = try (0..<64).map { try SourceName("s\($0)", key: "source") }
    let heavy = records.prefix(65).map { record in
      var record = record
      record.native?.sources = names.map { SourceCount(name: $0, count: 1) }
      return record
    }
    let bounded = BadgeBook(records: heavy)
    #expect(
      bounded.badges.count == 64 && bounded.storage.totals.namedSources == BadgeLimits.sources
    )
  }

  @Test("is noted as unsaved by what changes it, and by nothing else")
  func isNoted() throws {
    var book = BadgeBook()
    let steps: [((inout BadgeBook) throws -> Void, Set<BadgeID>)] = [
      ({ _ = try $0.setCount(5, for: "a") }, ["a"]),
      ({ _ = try $0.setCount(5, for: "a") }, []),
      (
        {
          _ = try $0.setCount(6, for: "a"); _ = try $0.setCount(7, for: "a")
        }, ["a"]
      ),
      ({ _ = try $0.update("a", [("max", .integer(3))]) }, ["a"]),
      ({ _ = try $0.update("a", [("max", .integer(3))]) }, []),
      ({ _ = try $0.dismiss("a") }, ["a"]),
      ({ _ = $0.clear("a") }, ["a"]),
      ({ _ = $0.clear("a") }, []),
      (
        {
          _ = try $0.setSource("s", to: 1, for: "b"); _ = try $0.remove("b")
        }, ["b"]
      ),
      ({ _ = $0.acknowledge("a") }, []),
      ({ _ = $0.setQuiet(true) }, []),
      ({ _ = try $0.announce(AppAnnouncement(count: 1), for: "app") }, ["app"]),
      ({ _ = try $0.announce(AppAnnouncement(count: 1), for: "app") }, []),
    ]
    for (index, (step, expected)) in steps.enumerated() {
      try step(&book)
      #expect(book.unsaved == expected, "step \(index)")
      book.markSaved()
      #expect(book.unsaved.isEmpty)
    }
  }
}

@Suite("A setting")
struct BadgeSettingTests {
  @Test("is the same after it was written and read as text")
  func isTheSame() throws {
    var book = BadgeBook()
    _ = try book.update(
      "mail",
      [
        ("hide-at-zero", .boolean(false)), ("max", .integer(.max)), ("font-size", .double(0.1)),
        ("description", .string("a=b ’é")), ("background", .string("#0af8")),
      ].filter { $0.0 != "background" }
    )
    let settings = try #require(book.record(for: "mail")?.settings)
    #expect(settings.count == 4)
    for setting in settings {
      #expect(BadgeSetting(name: setting.key.name, text: setting.text) == setting)
    }
    _ = try book.update("mail", [("animate", .boolean(true))])
    #expect(BadgeSetting(name: "animate", text: "true")?.value == .boolean(true))
  }

  @Test(
    "is none where key or text are wrong",
    arguments: [
      ("colour", "#fff"), ("label", "x"), ("urgent", "true"), ("count", "5"), ("animate", "yes"),
      ("max", "-1"), ("max", "1.5"), ("font-size", "nan"), ("font-size", "big"), ("grow", "left"),
    ]
  )
  func isNone(name: String, text: String) {
    #expect(BadgeSetting(name: name, text: text) == nil)
  }

  @Test("of a value that no setting has is written as nothing")
  func isNothing() {
    #expect(BadgeSetting(key: .max, value: .unsigned(.max)).text == "18446744073709551615")
    #expect(BadgeSetting(key: .sources, value: .counts(["a": 1])).text == "")
    #expect(BadgeSetting(key: .max, value: .unsupported("as")).text == "")
    #expect(BadgeSetting(key: .animate, value: .boolean(true)).text == "true")
  }
}

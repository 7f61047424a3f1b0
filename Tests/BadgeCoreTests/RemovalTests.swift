// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import BadgeCore

@Suite("Removing")
struct RemovalTests {
  @Test("forgets value, style and policy")
  func forgets() throws {
    var book = BadgeBook()
    _ = try book.update("mail", [("count", .integer(5)), ("background", .string("#123"))])
    #expect(try book.remove("mail") == .removed("mail", .removed))
    #expect(book["mail"] == nil && book.badges.isEmpty)
    #expect(book.record(for: "mail") == nil)
    _ = try book.setCount(5, for: "mail")
    #expect(book.read(.background, of: "mail") == .string("#FF0000"))
  }

  @Test("of what is not there is refused")
  func isRefused() {
    var book = BadgeBook()
    #expect(failure { () throws(BadgeError) in try book.remove("mail") } == .noSuchBadge("mail"))
  }

  @Test("leaves the other badges where they are found")
  func leavesOthers() throws {
    var book = BadgeBook()
    let ids: [BadgeID] = ["a", "b", "c", "d", "e"]
    for (count, id) in ids.enumerated() { _ = try book.setCount(Int64(count), for: id) }
    for (index, id) in [ids[1], ids[4], ids[0]].enumerated() {
      _ = try book.remove(id)
      #expect(book.badges.count == 4 - index)
      for (count, other) in ids.enumerated() {
        #expect(book[other]?.count == (book[other] == nil ? nil : Int64(count)))
      }
    }
    #expect(Set(book.badges.map(\.id)) == ["c", "d"])
    _ = try book.setCount(9, for: "c")
    #expect(book["c"]?.count == 9 && book["d"]?.count == 3)
  }

  @Test("all takes native badges, apps' and what is remembered")
  func takesAll() throws {
    var book = BadgeBook()
    _ = try book.setCount(1, for: "native")
    _ = try book.announce(AppAnnouncement(count: 2), for: "app")
    _ = try book.announce(AppAnnouncement(count: 3), for: "covered")
    _ = try book.setCount(4, for: "covered")
    _ = try book.update("gone", [("count", .integer(5)), ("background", .string("#123"))])
    _ = try book.dismiss("gone")
    _ = try book.announce(AppAnnouncement(count: 6), for: "dismissed")
    _ = try book.dismiss("dismissed")
    book.markSaved()
    let (count, change) = book.removeAll()
    #expect(count == 3)
    guard case .several(let changes) = change else {
      Issue.record("three badges go")
      return
    }
    #expect(
      Set(changes) == [
        .removed("native", .clearedAll), .removed("app", .clearedAll),
        .removed("covered", .clearedAll),
      ]
    )
    #expect(book.badges.isEmpty && book.nextDeadline == nil)
    #expect(book.unsaved.isSuperset(of: ["native", "app", "covered", "gone", "dismissed"]))
    // Nothing was sent: the badge stays removed.
    #expect(try book.announce(AppAnnouncement(count: 2), for: "app", renewed: false) == .none)
    #expect(try book.announce(AppAnnouncement(count: 2), for: "app") == .updated("app"))
    #expect(try book.announce(AppAnnouncement(count: 6), for: "dismissed") == .updated("dismissed"))
    _ = try book.setCount(5, for: "gone")
    #expect(book.read(.background, of: "gone") == .string("#FF0000"))
    #expect(book.shows("gone"))
  }

  @Test("all of nothing changes nothing")
  func takesNothing() {
    var book = BadgeBook()
    let (count, change) = book.removeAll()
    #expect(count == 0 && change == .none)
  }
}

@Suite("A badge's lifetime")
struct LifetimeTests {
  private static let second: Int64 = 1_000_000_000

  @Test("is as many seconds as ttl says, and reads what is left")
  func isSeconds() throws {
    var book = BadgeBook()
    let start = 100 * Self.second
    _ = try book.update("mail", [("count", .integer(5)), ("ttl", .integer(60))], now: start)
    #expect(book.nextDeadline == 160 * Self.second)
    #expect(book.read(.ttl, of: "mail", now: start) == .double(60))
    #expect(book.read(.ttl, of: "mail", now: start + 45 * Self.second) == .double(15))
    #expect(book.expire(now: start + 60 * Self.second - 1) == .none)
    // Overdue but still present: 0 would mean that it does not expire.
    #expect(book.read(.ttl, of: "mail", now: start + 61 * Self.second) == .double(1e-9))
    #expect(book.expire(now: start + 60 * Self.second) == .removed("mail", .expired))
    #expect(book["mail"] == nil && book.nextDeadline == nil)
    #expect(book.expire(now: .max) == .none)
  }

  @Test("is kept by every change but ttl and removal")
  func isKept() throws {
    var book = BadgeBook()
    _ = try book.update("mail", [("ttl", .double(60))])
    _ = try book.setCount(5, for: "mail")
    _ = book.clear("mail")
    _ = try book.update("mail", [("preset", .string("counter"))])
    #expect(book["mail"]?.deadline == 60 * Self.second)
    #expect(try book.update("mail", [("ttl", .integer(0))]) == .updated("mail"))
    #expect(book["mail"]?.deadline == nil && book.nextDeadline == nil)
    #expect(book.read(.ttl, of: "mail") == .double(0))
    #expect(try book.update("mail", [("ttl", .integer(0))]) == .none)
  }

  @Test("may be as short or as long as a number can say")
  func mayBeExtreme() throws {
    var book = BadgeBook()
    for (ttl, now, deadline) in [
      (1e-300, 5, 6), (1e300, 5, .max), (9.3e9, 5, .max), (1e-9, 0, 1), (0.5, 0, 500_000_000),
      (1, .max, .max), (1, -5, 999_999_995),
    ] as [(Double, Int64, Int64)] {
      _ = try book.update("mail", [("ttl", .double(ttl))], now: now)
      #expect(book["mail"]?.deadline == deadline, "\(ttl)")
      #expect((book["mail"]?.secondsLeft(now: now) ?? 0) > 0)
    }
  }

  @Test("ends in the order of deadlines, also of those that were moved")
  func endsInOrder() throws {
    var book = BadgeBook()
    var generator = SeededGenerator(seed: 1)
    var expected: [BadgeID: Int64] = [:]
    for _ in 0..<2_000 {
      let id = try BadgeID("n\(Int.random(in: 0..<100, using: &generator))")
      let ttl = Int64.random(in: 0..<500, using: &generator)
      _ = try book.update(id, [("ttl", .integer(ttl))])
      expected[id] = ttl == 0 ? nil : ttl * Self.second
      #expect(book.nextDeadline == expected.values.min())
      if ttl % 50 == 7 {
        _ = try book.remove(id)
        expected[id] = nil
      }
    }
    #expect(book.storage.queuedDeadlines <= 64 + 2 * book.badges.count)
    while let next = book.nextDeadline {
      #expect(next == expected.values.min())
      let due = expected.filter { $0.value == next }.map(\.key)
      let changes: Set<BadgeChange> =
        switch book.expire(now: next) {
        case .several(let changes): Set(changes)
        case let change: [change]
        }
      #expect(changes == Set(due.map { .removed($0, .expired) }))
      for id in due { expected[id] = nil }
    }
    #expect(expected.isEmpty)
  }

  @Test("takes style and policy with it, and shows an app's badge under it")
  func takesStyle() throws {
    var book = BadgeBook()
    _ = try book.update(
      "mail",
      [("ttl", .double(1)), ("count", .integer(5)), ("max", .integer(3))]
    )
    _ = book.expire(now: Self.second)
    #expect(book.record(for: "mail") == nil)
    _ = try book.announce(AppAnnouncement(count: 7), for: "mail")
    _ = try book.update(
      "mail",
      [("ttl", .double(1)), ("count", .integer(5)), ("max", .integer(3))]
    )
    #expect(book.expire(now: Self.second) == .updated("mail"))
    let badge = try book.badge("mail")
    #expect(badge.origin == .launcherEntry && badge.count == 7 && badge.maximum == 999)
    #expect(badge.deadline == nil && book.nextDeadline == nil)
  }

  @Test("of an app's badge ends until the app announces it again")
  func endsApps() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 7), for: "app")
    _ = try book.update("app", [("ttl", .double(1))])
    #expect(book["app"]?.origin == .launcherEntry)
    #expect(book.expire(now: Self.second) == .removed("app", .expired))
    #expect(try book.announce(AppAnnouncement(count: 7), for: "app", renewed: false) == .none)
    #expect(try book.announce(AppAnnouncement(count: 7), for: "app") == .updated("app"))
  }

  @Test("of a dismissed badge does not end its dismissal, nor the style kept with it")
  func leavesDismissal() throws {
    var book = BadgeBook()
    _ = try book.update("mail", [("count", .integer(5)), ("max", .integer(3))])
    _ = try book.dismiss("mail")
    for _ in 0..<2 {
      _ = try book.update("mail", [("count", .integer(5)), ("ttl", .double(1))])
      #expect(book["mail"]?.isDismissed == true && book["mail"]?.maximum == 3)
      #expect(book.expire(now: Self.second) == .removed("mail", .expired))
    }
  }

  @Test("is that of a process")
  func isProcess() throws {
    var book = BadgeBook()
    let update = try BadgeUpdate([("while-pid", .integer(42)), ("count", .integer(1))])
    #expect(update.watchedProcess == 42)
    for id in ["b", "a"] as [BadgeID] {
      _ = try book.update(id, with: update, now: 0, startTime: 7)
    }
    _ = try book.update("c", with: update, now: 0, startTime: 8)
    let owner = OwnerProcess(processID: 42, startTime: 7)
    #expect(book["a"]?.owner == owner)
    #expect(Set(book.watchedProcesses) == [owner, OwnerProcess(processID: 42, startTime: 8)])
    #expect(
      book.processEnded(owner)
        == .several([.removed("a", .ownerGone), .removed("b", .ownerGone)])
    )
    #expect(book.processEnded(owner) == .none)
    #expect(book["c"] != nil && book.watchedProcesses.count == 1)
  }

  @Test("is watched no more when 0 says so, or another process takes over")
  func isWatchedNoMore() throws {
    var book = BadgeBook()
    _ = try book.update("a", [("while-pid", .integer(42))])
    _ = try book.update("a", [("while-pid", .integer(43))])
    #expect(Array(book.watchedProcesses) == [OwnerProcess(processID: 43, startTime: 0)])
    let end = try BadgeUpdate("while-pid", .integer(0))
    #expect(end.watchedProcess == nil)
    _ = try book.update("a", with: end, now: 0)
    #expect(book.watchedProcesses.isEmpty && book["a"]?.owner == nil)
    _ = try book.update("a", [("while-pid", .integer(42))])
    _ = try book.remove("a")
    #expect(book.watchedProcesses.isEmpty)
  }

  @Test("may be that of 256 processes, each for any number of badges")
  func isBounded() throws {
    var book = BadgeBook()
    for number in 1...BadgeLimits.watchedProcesses {
      _ = try book.update(BadgeID("n\(number)"), [("while-pid", .integer(Int64(number)))])
    }
    let error = failure { () throws(BadgeError) in
      try book.update("more", [("while-pid", .integer(1_000))])
    }
    #expect(error?.name == "LimitsExceeded")
    #expect(book["more"] == nil)
    #expect(try book.update("more", [("while-pid", .integer(1))]) == .updated("more"))
    #expect(try book.update("n1", [("while-pid", .integer(0))]) == .updated("n1"))
  }
}

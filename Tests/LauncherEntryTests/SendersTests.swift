// SPDX-License-Identifier: MIT
import BadgeCore
import EventLoop
@testable import LauncherEntry
import Testing

@Suite("The words of senders")
final class SenderStatesTests {
  private var states = Senders()
  private let start = Instant(nanoseconds: 0)

  private static func update(
    count: Int64? = nil,
    visible: Bool? = nil,
    urgent: Bool? = nil
  ) -> AppAnnouncement {
    var update = AppAnnouncement()
    (update.count, update.isCountVisible, update.isUrgent) = (count, visible, urgent)
    return update
  }

  @discardableResult
  private func say(
    _ sender: String,
    _ uri: String = "mail",
    count: Int64? = nil,
    visible: Bool? = nil,
    urgent: Bool? = nil,
    at time: Instant? = nil
  ) -> Senders.Outcome {
    states.apply(
      Self.update(count: count, visible: visible, urgent: urgent),
      to: uri,
      from: sender,
      now: time ?? start
    ) { $0.fallback }
  }

  private func remove(_ sender: String) -> [String] { states.remove(sender: sender) }

  private func release(at now: Instant) -> [String] { states.releaseDue(now: now) }

  private func resolve(_ resolve: (ApplicationURI) -> String) -> [String] {
    states.resolveAgain(resolve)
  }

  private func isFirstReport(of sender: String) -> Bool { states.isFirstReport(of: sender) }

  private func shown(_ id: String = "mail") -> Int64? { states.announcement(for: id)?.shownCount }

  @Test("are merged for each sender and app")
  func merged() {
    #expect(say(":1.1", count: 4) == .announced("mail"))
    say(":1.1", "application://mail.desktop", visible: false)
    #expect(states.announcement(for: "mail")?.shownCount == 4)
    #expect(states.announcement(for: "mail")?.isCountVisible == false)
    say(":1.2", "chat", count: 1)
    #expect(states.announcement(for: "chat")?.isCountShown == true)
    #expect(states.ids == ["chat", "mail"])
  }

  @Test("of the latest living sender show, in whatever order senders die")
  func deaths() {
    say(":1.1", count: 3)
    say(":1.2", count: 9)
    #expect(shown() == 9)
    let before = states
    #expect(remove(":1.2") == ["mail"])
    #expect(shown() == 3)
    #expect(remove(":1.1") == ["mail"])
    #expect(shown() == nil)
    #expect(states.ids.isEmpty)
    states = before
    #expect(remove(":1.1").isEmpty)
    #expect(shown() == 9)
    #expect(remove(":1.3").isEmpty)
  }

  @Test("take the first place when they are new, not when they are repeated")
  func latest() {
    say(":1.1", count: 3)
    say(":1.2", count: 9)
    say(":1.1", count: 3)
    #expect(shown() == 9)
    say(":1.1", count: 4)
    #expect(shown() == 4)
  }

  @Test("of one sender end for all its apps when it dies")
  func manyApps() {
    for app in ["a", "b", "c"] { say(":1.1", app, count: 1) }
    say(":1.2", "b", count: 2)
    #expect(remove(":1.1") == ["a", "c"])
    #expect(shown("b") == 2)
  }

  @Test("are taken for 128 apps of a sender; what is there can still change")
  func appsOfSender() {
    for number in 0..<Senders.maximumAppsOfSender {
      #expect(say(":1.1", "app\(number)", count: 1) == .announced("app\(number)"))
    }
    #expect(say(":1.1", "more", count: 1) == .refused(.tooManyAppsOfSender))
    #expect(say(":1.1", "app0", count: 2) == .announced("app0"))
    #expect(shown("app0") == 2)
  }

  @Test("are taken for 1,024 apps in all; there is room again when a sender dies")
  func apps() {
    for number in 0..<Senders.maximumApps {
      say(":1.\(number / 128)", "app\(number)", count: 1)
    }
    #expect(say(":1.100", "more", count: 1) == .refused(.tooManyApps))
    #expect(say(":1.100", "app5", count: 7) == .announced("app5"))
    _ = remove(":1.3")
    #expect(say(":1.100", "more", count: 1) == .announced("more"))
  }

  @Test("are taken in no more than 4,096 pairs of sender and app")
  func pairs() {
    let senders = Senders.maximumPairs / Senders.maximumAppsOfSender
    for sender in 0..<senders {
      for app in 0..<Senders.maximumAppsOfSender { say(":1.\(sender)", "app\(app)", count: 1) }
    }
    #expect(say(":1.999", "app1", count: 1) == .refused(.tooManyApps))
  }

  private func forget(_ ids: [String], of sender: String? = nil) -> [String] {
    states.forget(ids, of: sender)
  }

  @Test("are forgotten of one app, and taken again as of a new one")
  func forgotten() {
    for app in ["a", "b", "application://b.desktop"] { say(":1.1", app, count: 1) }
    say(":1.2", "b", count: 2)
    _ = states.takeChanges()
    #expect(forget(["b", "none"], of: ":1.2") == ["b"])
    #expect(shown("b") == 1)
    #expect(states.takeChanges().keys.map(\.sender) == [":1.2"])
    #expect(forget(["b"]) == ["b"])
    #expect(shown("b") == nil)
    #expect(states.ids == ["a"])
    #expect(say(":1.1", "application://b.desktop", visible: true) == .announced("b"))
    #expect(shown("b") == 0)
  }

  @Test("that wait to be heard are forgotten too")
  func forgottenWhilePending() {
    for number in 0...Senders.burst { say(":1.1", "a", count: Int64(number)) }
    #expect(states.nextRelease(now: start) != nil)
    #expect(forget(["a"]) == ["a"])
    #expect(states.nextRelease(now: start) == nil)
    #expect(release(at: Instant(nanoseconds: 10_000_000_000)) == [])
  }

  @Test("of ten thousand apps cost no more room than the limit")
  func invented() {
    var refused = 0
    for number in 0..<10_000 {
      if case .refused = say(":1.1", "app\(number)", count: 1) { refused += 1 }
    }
    #expect(refused == 10_000 - Senders.maximumAppsOfSender)
    #expect(states.ids.count == Senders.maximumAppsOfSender)
    #expect(isFirstReport(of: ":1.1"))
    #expect(!isFirstReport(of: ":1.1"))
  }

  @Test("are refused where they name no app")
  func invalid() {
    #expect(say(":1.1", "application://", count: 1) == .refused(.invalidURI))
    #expect(states.knows(sender: ":1.1"))
    #expect(states.ids.isEmpty)
  }

  @Test("that come too fast are heard later, the last of them always, and others at once")
  func flood() throws {
    states = Senders(burst: 10, rate: 100)
    for count in 1...1000 { say(":1.1", count: Int64(count)) }
    #expect(shown() == 10)
    #expect(say(":1.2", "chat", count: 1) == .announced("chat"))
    let due = try #require(states.nextRelease(now: start))
    #expect(due > start)
    #expect(release(at: start).isEmpty)
    #expect(release(at: due) == ["mail"])
    #expect(shown() == 1000)
    #expect(states.nextRelease(now: due) == nil)
  }

  @Test("said too fast of several apps are heard in turn")
  func floodOfApps() throws {
    states = Senders(burst: 2, rate: 10)
    for app in ["a", "b", "c", "d"] { say(":1.1", app, count: 1) }
    #expect(shown("b") == 1)
    #expect(shown("c") == nil)
    var now = start
    var heard: [String] = []
    while let due = states.nextRelease(now: now) {
      now = due
      heard += states.releaseDue(now: now)
    }
    #expect(heard == ["c", "d"])
    #expect(now == start + .milliseconds(200))
  }

  @Test("not heard yet are gone with their sender")
  func deathInFlood() {
    states = Senders(burst: 1, rate: 1)
    say(":1.1", "a", count: 1)
    say(":1.1", "b", count: 1)
    #expect(remove(":1.1") == ["a"])
    #expect(states.nextRelease(now: start) == nil)
    #expect(states.ids.isEmpty)
  }

  @Test("move to the app's own id when its desktop file comes, and back when it goes")
  func resolvedAgain() {
    say(":1.1", "Foo", count: 1)
    say(":1.2", "foo", count: 2)
    #expect(resolve { $0.fallback }.isEmpty)
    #expect(resolve { $0.fallback.lowercased() } == ["Foo", "foo"])
    #expect(shown("Foo") == nil)
    #expect(shown("foo") == 2)
    _ = remove(":1.2")
    #expect(shown("foo") == 1)
    #expect(resolve { $0.fallback } == ["Foo", "foo"])
    #expect(shown("Foo") == 1)
    #expect(shown("foo") == nil)
  }

  @Test("that meet under one id leave those that were heard later")
  func meet() {
    say(":1.1", "a", count: 1)
    say(":1.1", "b", count: 2)
    _ = states.takeChanges()
    #expect(resolve { _ in "c" } == ["a", "b", "c"])
    #expect(shown("c") == 2)
    let changes = states.takeChanges()
    let counts = changes.map { ($0.key.app, $0.value?.announcement.count) }.sorted { $0.0 < $1.0 }
    #expect(counts.map(\.0) == ["a", "b", "c"])
    #expect(counts.map(\.1) == [nil, nil, 2])
    #expect(say(":1.1", "a", count: 5) == .announced("a"))
  }
}

@Suite("What is stored of senders")
struct SenderRecordTests {
  private let start = Instant(nanoseconds: 0)

  private func key(_ sender: String, _ app: String) -> Senders.Key {
    Senders.Key(sender: sender, app: app)
  }

  private func say(_ states: inout Senders, _ sender: String, _ uri: String, _ count: Int64) {
    var update = AppAnnouncement()
    update.count = count
    _ = states.apply(update, to: uri, from: sender, now: start) { $0.fallback }
  }

  @Test("is each change once, and a deletion for what is gone")
  func changes() {
    var states = Senders()
    say(&states, ":1.1", "application://mail.desktop", 1)
    say(&states, ":1.1", "application://mail.desktop", 2)
    say(&states, ":1.2", "mail", 3)
    let changes = states.takeChanges()
    #expect(
      changes.mapValues { $0?.announcement.count } == [
        key(":1.1", "mail"): 2, key(":1.2", "mail"): 3,
      ]
    )
    say(&states, ":1.2", "mail", 3)
    let repeated = states.takeChanges()
    #expect(repeated.isEmpty)
    _ = states.remove(sender: ":1.2")
    let removed = states.takeChanges()
    #expect(removed == [key(":1.2", "mail"): nil])
  }

  @Test("may hold any order, and the next word still comes after it")
  func anyOrder() {
    var announced = AppAnnouncement()
    announced.count = 1
    var states = Senders()
    for (sender, order) in [(":1.1", Int64.max), (":1.2", .min)] {
      _ = states.restore([
        key(sender, "mail"): Senders.Record(announcement: announced, ordinal: order)
      ])
    }
    #expect(states.announcement(for: "mail")?.shownCount == 1)
    for sender in [":1.2", ":1.1", ":1.3"] {
      say(&states, sender, "mail", 7)
      say(&states, sender, "mail", 8)
      #expect(states.announcement(for: "mail")?.shownCount == 8)
    }
    let orders = states.takeChanges().compactMap { $0.value?.ordinal }
    #expect(Set(orders).count == 3)
  }

  @Test("brings back the same badges, in the same order of senders")
  func restored() {
    var states = Senders()
    say(&states, ":1.1", "mail", 1)
    say(&states, ":1.2", "mail", 2)
    say(&states, ":1.1", "chat", 3)
    let records = states.takeChanges().compactMapValues(\.self)
    var later = Senders()
    let ids = later.restore(records)
    #expect(ids == ["chat", "mail"])
    #expect(later.announcement(for: "mail")?.shownCount == 2)
    let changes = later.takeChanges()
    #expect(changes.isEmpty)
    say(&later, ":1.1", "mail", 5)
    #expect(later.announcement(for: "mail")?.shownCount == 5)
    #expect(later.announcement(for: "chat")?.shownCount == 3)
  }

  @Test("is stored under the app's present id after desktop files came")
  func restoredElsewhere() {
    var announced = AppAnnouncement()
    announced.count = 4
    var states = Senders()
    _ = states.restore([key(":1.1", "foo"): Senders.Record(announcement: announced, ordinal: 7)])
    let ids = states.resolveAgain { _ in "Foo" }
    #expect(ids == ["Foo", "foo"])
    let changes = states.takeChanges()
    #expect(
      changes == [
        key(":1.1", "foo"): nil,
        key(":1.1", "Foo"): Senders.Record(announcement: announced, ordinal: 7),
      ]
    )
  }

  @Test("is left out where it is beyond the limits or names no app")
  func tooMuch() {
    var records: [Senders.Key: Senders.Record] = [:]
    for number in 0..<200 {
      let app = number == 0 ? "" : "app\(number)"
      records[key(":1.1", app)] = Senders.Record(
        announcement: AppAnnouncement(),
        ordinal: Int64(number)
      )
    }
    var states = Senders()
    let ids = states.restore(records)
    #expect(ids.count == Senders.maximumAppsOfSender)
  }
}

// SPDX-License-Identifier: MIT
import EventLoop
import LauncherEntry
import Testing

@Suite("The words of senders")
final class SenderStatesTests {
  private var states = SenderStates()
  private let start = Instant(nanoseconds: 0)

  private static func update(
    count: Int64? = nil,
    visible: Bool? = nil,
    urgent: Bool? = nil
  ) -> LauncherUpdate {
    var update = LauncherUpdate()
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
  ) -> SenderStates.Outcome {
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

  private func shown(_ id: String = "mail") -> Int64? { states.announcement(for: id)?.count }

  @Test("are merged for each sender and app")
  func merged() {
    #expect(say(":1.1", count: 4) == .announced("mail"))
    say(":1.1", "application://mail.desktop", visible: false)
    #expect(states.announcement(for: "mail")?.count == 4)
    #expect(states.announcement(for: "mail")?.isCountVisible == false)
    say(":1.2", "chat", count: 1)
    #expect(states.announcement(for: "chat")?.isCountVisible == true)
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
    for number in 0..<SenderStates.maximumAppsOfSender {
      #expect(say(":1.1", "app\(number)", count: 1) == .announced("app\(number)"))
    }
    #expect(say(":1.1", "more", count: 1) == .refused(.tooManyAppsOfSender))
    #expect(say(":1.1", "app0", count: 2) == .announced("app0"))
    #expect(shown("app0") == 2)
  }

  @Test("are taken for 1,024 apps in all; there is room again when a sender dies")
  func apps() {
    for number in 0..<SenderStates.maximumApps {
      say(":1.\(number / 128)", "app\(number)", count: 1)
    }
    #expect(say(":1.100", "more", count: 1) == .refused(.tooManyApps))
    #expect(say(":1.100", "app5", count: 7) == .announced("app5"))
    _ = remove(":1.3")
    #expect(say(":1.100", "more", count: 1) == .announced("more"))
  }

  @Test("are taken in no more than 4,096 pairs of sender and app")
  func pairs() {
    let senders = SenderStates.maximumPairs / SenderStates.maximumAppsOfSender
    for sender in 0..<senders {
      for app in 0..<SenderStates.maximumAppsOfSender { say(":1.\(sender)", "app\(app)", count: 1) }
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
    for number in 0...SenderStates.burst { say(":1.1", "a", count: Int64(number)) }
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
    #expect(refused == 10_000 - SenderStates.maximumAppsOfSender)
    #expect(states.ids.count == SenderStates.maximumAppsOfSender)
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
    states = SenderStates(burst: 10, rate: 100)
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
    states = SenderStates(burst: 2, rate: 10)
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
    states = SenderStates(burst: 1, rate: 1)
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
    let counts = changes.map { ($0.key.app, $0.value?.said.count) }.sorted { $0.0 < $1.0 }
    #expect(counts.map(\.0) == ["a", "b", "c"])
    #expect(counts.map(\.1) == [nil, nil, 2])
    #expect(say(":1.1", "a", count: 5) == .announced("a"))
  }
}

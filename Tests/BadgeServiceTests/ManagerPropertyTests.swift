// SPDX-License-Identifier: MIT
import BadgeBus
import BadgeStore
import DBus
import EventLoop
import TestSupport
import Testing

@testable import BadgeService

@Suite(.privateBus) struct ManagerPropertyTests {
  let fixture: ServiceFixture

  init() throws {
    fixture = try ServiceFixture()
  }

  private func propertiesChanged(_ signals: [ReceivedSignal]) -> [[String: Value]] {
    signals.filter { $0.member == "PropertiesChanged" }.map { $0.values[1].entries }
  }

  @Test func allPropertiesAreThere() throws {
    let all = try #require(
      try fixture.properties("GetAll", .string("org.badged.Badges1")).get().first?.entries
    )
    #expect(
      all.mapValues { $0.signature?.rawValue ?? "" } == [
        "Version": "s", "Total": "x", "Visible": "u", "Revision": "t",
        "Catalogue": "a{sa{sv}}", "Animations": "b", "Animating": "b", "Quiet": "b",
        "QuietUntil": "t", "Durable": "b", "Started": "t", "StatePath": "s",
      ]
    )
    #expect(all["Durable"] == .boolean(true))
    #expect(all["Animating"] == .boolean(true))
  }

  @Test func theSumsAreOfVisibleBadges() throws {
    _ = try fixture.call("Set", .string("a"), .int64(3))
    _ = try fixture.call("Set", .string("b"), .int64(4))
    _ = try fixture.call("SetDot", .string("c"))
    _ = try fixture.call("Set", .string("d"), .int64(0))
    #expect(try fixture.property("Total") == .int64(7))
    #expect(try fixture.property("Visible") == .uint32(3))
    #expect(try fixture.property("Revision") == .uint64(4))
  }

  @Test func changesAreToldFromTheFirstPropertiesCallOn() throws {
    _ = try fixture.call("Set", .string("a"), .int64(3))
    #expect(propertiesChanged(try fixture.take(1, "Changed")) == [])
    _ = try fixture.property("Version")
    _ = try fixture.call("Set", .string("a"), .int64(5))
    #expect(
      propertiesChanged(try fixture.take(1, "PropertiesChanged")) == [["Total": .int64(5)]]
    )
  }

  @Test func onlyWhatChangedIsTold() throws {
    _ = try fixture.property("Total")
    #expect(try fixture.setProperty("Animations", .boolean(false)) == nil)
    #expect(
      propertiesChanged(try fixture.take(1, "PropertiesChanged"))
        == [["Animations": .boolean(false), "Animating": .boolean(false)]]
    )
    #expect(try fixture.setProperty("Animations", .boolean(false)) == nil)
    _ = try fixture.call("Set", .string("a"), .int64(3))
    #expect(
      propertiesChanged(try fixture.take(1, "PropertiesChanged"))
        == [["Total": .int64(3), "Visible": .uint32(1)]]
    )
  }

  @Test func quietHidesAllAndGivesAllBack() throws {
    _ = try fixture.call("Set", .string("a"), .int64(3))
    _ = try fixture.call("Set", .string("b"), .int64(0))
    _ = try fixture.take(2, "Changed")
    #expect(try fixture.setProperty("Quiet", .boolean(true)) == nil)
    let hidden = try fixture.take(1, "Changed").first { $0.member == "Changed" }
    #expect(hidden?.values[1].entries["visible"] == .boolean(false))
    #expect(
      hidden?.values[2].entries == [
        "event": .string("disappear"), "name": .string("none"), "direction": .string("none"),
      ]
    )
    _ = try fixture.call("Set", .string("a"), .int64(9))
    #expect(try fixture.property("Total") == .int64(0))
    #expect(try fixture.setProperty("Quiet", .boolean(false)) == nil)
    #expect(try fixture.property("Total") == .int64(9))
    let signals = fixture.takeSignals().filter { $0.member == "Changed" }
    #expect(signals.last?.values[2].entries["event"] == .string("appear"))
    #expect(signals.last?.values[2].entries["name"] == .string("none"))
  }

  @Test func quietUntilTurnsQuietOnAndReachingItTurnsItOff() throws {
    let soon = WallClock.seconds() + 1
    #expect(try fixture.setProperty("QuietUntil", .uint64(soon)) == nil)
    #expect(try fixture.property("Quiet") == .boolean(true))
    #expect(fixture.service.isQuiet)
    #expect(try fixture.stored().settings.quietUntil == soon)
    #expect(try fixture.loop.run { !fixture.service.isQuiet })
    #expect(WallClock.seconds() >= soon)
    #expect(try fixture.property("QuietUntil") == .uint64(0))
    #expect(try fixture.stored().settings.quiet == false)
  }

  @Test func writingQuietEndsTheTime() throws {
    let later = WallClock.seconds() + 3_600
    #expect(try fixture.setProperty("QuietUntil", .int64(Int64(later))) == nil)
    #expect(try fixture.setProperty("Quiet", .boolean(true)) == nil)
    #expect(try fixture.property("QuietUntil") == .uint64(0))
    #expect(try fixture.property("Quiet") == .boolean(true))
    #expect(try fixture.setProperty("QuietUntil", .uint64(0)) == nil)
    #expect(try fixture.property("Quiet") == .boolean(true))
  }

  @Test(arguments: [UInt64(1), 1 << 63, .max])
  func aTimeThatDoesNotComeIsRefused(_ time: UInt64) throws {
    let error = try #require(try fixture.setProperty("QuietUntil", .uint64(time)))
    #expect(error.name == .invalidValue)
    #expect(error.message.hasPrefix("QuietUntil: '\(time)' is not a time to come"))
    #expect(try fixture.property("Quiet") == .boolean(false))
  }

  @Test func theLastTimeThereIsIsKept() throws {
    #expect(try fixture.setProperty("QuietUntil", .uint64(UInt64(Int64.max))) == nil)
    #expect(try fixture.property("QuietUntil") == .uint64(UInt64(Int64.max)))
    #expect(try fixture.stored().settings.quietUntil == UInt64(Int64.max))
  }

  private func makeService(_ state: StoredState) throws -> BadgeService {
    let directory = try TemporaryDirectory()
    return try ServiceFixture.makeService(on: fixture.client, fixture.loop, directory, state: state)
  }

  @Test func settingsAreKept() throws {
    var state = StoredState()
    state.settings.animations = false
    state.settings.quiet = true
    state.settings.quietUntil = WallClock.seconds() + 3_600
    let service = try makeService(state)
    #expect(service.isQuiet)
    #expect(!service.state.animating)
    state.settings.quietUntil = 1
    let later = try makeService(state)
    #expect(!later.isQuiet)
    #expect(later.state.quietUntil == 0)
  }
}

@Suite struct ManagerSignalsTests {
  private static let state = ManagerState(
    total: 0,
    visible: 0,
    animations: true,
    animating: true,
    quiet: false,
    quietUntil: 0,
    durable: true
  )

  @Test func whatNobodyAskedForIsNotSent() {
    var signals = ManagerSignals()
    var state = Self.state
    state.total = 3
    #expect(signals.publish(state, at: .now()) { _ in Issue.record("it was sent") } == nil)
    #expect(!signals.isFollowed)
  }

  @Test func aFrameHasOneSignalWithAllThatChanged() {
    var signals = ManagerSignals()
    signals.follow(Self.state)
    var sent: [[String]] = []
    var state = Self.state
    let begin = Instant(nanoseconds: 1_000_000_000_000)
    func publish(after milliseconds: Int64) -> Int64? {
      let now = begin.advanced(byNanoseconds: milliseconds * 1_000_000)
      return signals.publish(state, at: now) { sent.append($0) }
        .map { ($0 - now).saturatedNanoseconds / 1_000_000 }
    }
    state.total = 1
    #expect(publish(after: 0) == nil)
    state.total = 2
    #expect(publish(after: 1) == 15)
    state.visible = 1
    state.durable = false
    #expect(publish(after: 15) == 1)
    #expect(publish(after: 16) == nil)
    #expect(sent == [["Total"], ["Total", "Visible", "Durable"]])
  }

  @Test func whatChangesBackSaysNothing() {
    var signals = ManagerSignals()
    signals.follow(Self.state)
    var state = Self.state
    let now = Instant.now()
    var count = 0
    state.quiet = true
    _ = signals.publish(state, at: now) { _ in count += 1 }
    state.quiet = false
    #expect(signals.publish(state, at: now) { _ in count += 1 } != nil)
    state.quiet = true
    #expect(signals.publish(state, at: now) { _ in count += 1 } == nil)
    #expect(count == 1)
  }

  @Test func eachPropertyIsNamed() {
    let other = ManagerState(
      total: 1,
      visible: 1,
      animations: false,
      animating: false,
      quiet: true,
      quietUntil: 1,
      durable: false
    )
    #expect(
      other.changes(from: Self.state) == [
        "Total", "Visible", "Animations", "Animating", "Quiet", "QuietUntil", "Durable",
      ]
    )
  }
}

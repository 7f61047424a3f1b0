// SPDX-License-Identifier: MIT
import EventLoop
import Testing

@testable import BadgeService

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

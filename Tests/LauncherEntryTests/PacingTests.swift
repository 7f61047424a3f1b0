// SPDX-License-Identifier: MIT
import BadgeCore
import EventLoop
import LauncherEntry
import Testing

@Suite("The pace of docks updates")
struct OutwardPacerTests {
  private let start = Instant(nanoseconds: 0)
  private let one = DockState(count: 1, isCountVisible: true)
  private let two = DockState(count: 2, isCountVisible: true)

  @Test("sends the first state at once, with number and visibility")
  func first() {
    var pacer = DockPacer(one)
    var expected = AppAnnouncement()
    expected.count = 1
    expected.isCountVisible = true
    let updates = (0..<2).map { _ in pacer.take(now: start) }
    #expect(updates == [expected, nil])
    #expect(pacer.due(now: start) == nil)
  }

  @Test("keeps its distance, and sends the last state")
  func distance() {
    var pacer = DockPacer(one)
    _ = pacer.take(now: start)
    for count in 2...9 { pacer.want(DockState(count: Int64(count), isCountVisible: true)) }
    #expect(pacer.due(now: start) == start + DockPacer.interval)
    let counts = [34, 35].map { pacer.take(now: start + .milliseconds($0))?.count }
    #expect(counts == [nil, 9])
    #expect(pacer.due(now: start + .seconds(1)) == nil)
  }

  @Test("sends nothing for a change that is taken back")
  func takenBack() {
    var pacer = DockPacer(one)
    _ = pacer.take(now: start)
    pacer.want(two)
    pacer.want(one)
    #expect(pacer.due(now: start) == nil)
  }

  @Test("repeats everything when asked, progress and urgency too once they have existed")
  func repeats() {
    var pacer = DockPacer(
      DockState(count: 1, isCountVisible: true, progress: 0.5, isUrgent: true)
    )
    _ = pacer.take(now: start)
    pacer.want(one)
    let ended = pacer.take(now: start + .seconds(1))
    #expect(ended?.progress == 0)
    #expect(ended?.isProgressVisible == false)
    #expect(ended?.isUrgent == false)
    pacer.repeatAll()
    let again = pacer.take(now: start + .seconds(2))
    #expect(again == ended)
  }
}

@Suite("A token bucket")
struct TokenBucketTests {
  @Test("gives a burst at once, then one a time")
  func burst() {
    var bucket = TokenBucket(capacity: 3, rate: 10)
    let start = Instant(nanoseconds: 1_000)
    let taken = (0..<4).map { _ in bucket.take(now: start) }
    #expect(taken == [true, true, true, false])
    #expect(bucket.nextToken(now: start) == start + .milliseconds(100))
    let later = [99, 100, 100].map { bucket.take(now: start + .milliseconds($0)) }
    #expect(later == [false, true, false])
  }

  @Test("is full again after a rest, and never more than full")
  func rest() {
    var bucket = TokenBucket(capacity: 2, rate: 10)
    let start = Instant(nanoseconds: 0)
    _ = bucket.take(now: start)
    _ = bucket.take(now: start)
    let later = start + .seconds(3600)
    let taken = (0..<3).map { _ in bucket.take(now: later) }
    #expect(taken == [true, true, false])
  }
}

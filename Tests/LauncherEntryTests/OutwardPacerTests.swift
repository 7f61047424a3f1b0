// SPDX-License-Identifier: MIT
import EventLoop
import LauncherEntry
import Testing

@Suite("The pace of outward updates")
struct OutwardPacerTests {
  private let start = Instant(nanoseconds: 0)
  private let one = OutwardState(count: 1, isCountVisible: true)
  private let two = OutwardState(count: 2, isCountVisible: true)

  @Test("sends the first state at once, with number and visibility")
  func first() {
    var pacer = OutwardPacer(one)
    var expected = LauncherUpdate()
    expected.count = 1
    expected.isCountVisible = true
    let updates = (0..<2).map { _ in pacer.take(now: start) }
    #expect(updates == [expected, nil])
    #expect(pacer.due(now: start) == nil)
  }

  @Test("keeps its distance, and sends the last state")
  func distance() {
    var pacer = OutwardPacer(one)
    _ = pacer.take(now: start)
    for count in 2...9 { pacer.want(OutwardState(count: Int64(count), isCountVisible: true)) }
    #expect(pacer.due(now: start) == start + OutwardPacer.interval)
    let counts = [34, 35].map { pacer.take(now: start + .milliseconds($0))?.count }
    #expect(counts == [nil, 9])
    #expect(pacer.due(now: start + .seconds(1)) == nil)
  }

  @Test("sends nothing for a change that is taken back")
  func takenBack() {
    var pacer = OutwardPacer(one)
    _ = pacer.take(now: start)
    pacer.want(two)
    pacer.want(one)
    #expect(pacer.due(now: start) == nil)
  }

  @Test("repeats everything when asked, progress and urgency too once they have existed")
  func repeats() {
    var pacer = OutwardPacer(
      OutwardState(count: 1, isCountVisible: true, progress: 0.5, isUrgent: true)
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

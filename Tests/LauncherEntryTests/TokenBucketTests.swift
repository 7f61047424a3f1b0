// SPDX-License-Identifier: MIT
import EventLoop
import LauncherEntry
import Testing

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

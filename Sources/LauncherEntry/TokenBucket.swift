// SPDX-License-Identifier: MIT
public import EventLoop

/// How often a sender may be heard: a burst at once, then so many a second.
///
/// A value; the time is told to it.
public struct TokenBucket: Hashable, Sendable {
  /// How many tokens there are at most.
  public let capacity: Int

  /// How long one token takes to come back, in nanoseconds.
  public let interval: Int64

  /// When the bucket is full again: all its state.
  private var fullAt = Instant(nanoseconds: .min)

  /// A full bucket of `capacity` tokens, which come back at `rate` a second (above 0).
  public init(capacity: Int, rate: Int) {
    precondition(capacity > 0 && rate > 0 && rate <= 1_000_000_000)
    self.capacity = capacity
    self.interval = 1_000_000_000 / Int64(rate)
  }

  /// Takes one token if there is one.
  public mutating func take(now: Instant) -> Bool {
    guard nextToken(now: now) <= now else { return false }
    fullAt = max(fullAt, now).advanced(byNanoseconds: interval)
    return true
  }

  /// When there is a token: now, or the moment the next one comes back.
  public func nextToken(now: Instant) -> Instant {
    let span = Int64(capacity - 1) * interval
    return max(now, max(fullAt, now).advanced(byNanoseconds: -span))
  }
}

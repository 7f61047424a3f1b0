// SPDX-License-Identifier: MIT
public import BadgeCore
public import EventLoop

/// Decides when to send which state of one app to docks.
///
/// A value that is passed the time. Updates are at least `interval` apart, since docks drop faster
/// ones, and the last state is always sent.
public struct DockPacer: Sendable {
  /// The least time between two updates of one sender: Plank ignores what comes within 32 ms.
  public static let interval = LauncherLimits.dockInterval

  private var wanted: DockState
  private var sent: DockState?
  private var lastSent: Instant?
  private var hasProgress = false
  private var hasUrgency = false

  /// Nothing was sent yet, and `state` is wanted.
  public init(_ state: DockState) {
    wanted = state
  }

  /// Sets the state to send, unless it was the last one sent.
  public mutating func want(_ state: DockState) {
    wanted = state
  }

  /// Sends the state again, though it was sent.
  public mutating func repeatAll() {
    sent = nil
  }

  /// When to send; nil if there is nothing to send.
  public func due(now: Instant) -> Instant? {
    guard sent != wanted else { return nil }
    return lastSent.map { max(now, $0 + Self.interval) } ?? now
  }

  /// The update to send now, if one is due.
  ///
  /// It has the number and its visibility, and progress and urgency if they were ever set.
  public mutating func take(now: Instant) -> AppAnnouncement? {
    guard let due = due(now: now), due <= now else { return nil }
    sent = wanted
    lastSent = now
    hasProgress = hasProgress || wanted.progress != nil
    hasUrgency = hasUrgency || wanted.isUrgent
    var update = AppAnnouncement()
    update.count = wanted.count
    update.isCountVisible = wanted.isCountVisible
    if hasProgress {
      update.setProgress(wanted.progress ?? 0)
      update.isProgressVisible = wanted.progress != nil
    }
    if hasUrgency { update.isUrgent = wanted.isUrgent }
    return update
  }
}

/// A rate limit: a burst at once, then so many a second.
///
/// A value that is passed the time.
public struct TokenBucket: Hashable, Sendable {
  /// The most tokens it holds.
  public let capacity: Int

  /// Nanoseconds until a token is refilled.
  public let interval: Int64

  /// When the bucket is full again, which is all the state it needs.
  private var fullAt = Instant(nanoseconds: .min)

  /// A full bucket of `capacity` tokens, refilled at `rate` a second (above 0).
  public init(capacity: Int, rate: Int) {
    precondition(capacity > 0 && rate > 0 && rate <= 1_000_000_000)
    self.capacity = capacity
    self.interval = 1_000_000_000 / Int64(rate)
  }

  /// Takes a token, if there is one.
  public mutating func take(now: Instant) -> Bool {
    guard nextToken(now: now) <= now else { return false }
    fullAt = max(fullAt, now).advanced(byNanoseconds: interval)
    return true
  }

  /// When a token is available: now, or when the next is refilled.
  public func nextToken(now: Instant) -> Instant {
    let span = Int64(capacity - 1) * interval
    return max(now, max(fullAt, now).advanced(byNanoseconds: -span))
  }
}

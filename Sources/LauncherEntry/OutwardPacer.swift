// SPDX-License-Identifier: MIT
public import EventLoop

/// What one app's docks were told, and what they are to be told when.
///
/// A value; the time is told to it. Updates are at least `interval` apart, as docks drop what comes
/// faster, and the last state is always among them.
public struct OutwardPacer: Sendable {
  /// The least time between two updates of one sender: Plank ignores what comes within 32 ms.
  public static let interval = LauncherLimits.outwardInterval

  private var wanted: OutwardState
  private var told: OutwardState?
  private var lastSent: Instant?
  private var hasProgress = false
  private var hasUrgency = false

  /// Docks know nothing yet, and are to be told `state`.
  public init(_ state: OutwardState) {
    wanted = state
  }

  /// Docks are to be told `state`, unless they were.
  public mutating func want(_ state: OutwardState) {
    wanted = state
  }

  /// Docks are to be told everything again.
  public mutating func repeatAll() {
    told = nil
  }

  /// When there is something to send; nil where there is not.
  public func due(now: Instant) -> Instant? {
    guard told != wanted else { return nil }
    return lastSent.map { max(now, $0 + Self.interval) } ?? now
  }

  /// What to send now, if its time has come.
  ///
  /// Number and visibility are always in it; progress and urgency when they exist or have existed.
  public mutating func take(now: Instant) -> LauncherUpdate? {
    guard let due = due(now: now), due <= now else { return nil }
    told = wanted
    lastSent = now
    hasProgress = hasProgress || wanted.progress != nil
    hasUrgency = hasUrgency || wanted.isUrgent
    var update = LauncherUpdate()
    update.count = wanted.count
    update.isCountVisible = wanted.isCountVisible
    if hasProgress {
      update.progress = wanted.progress ?? 0
      update.isProgressVisible = wanted.progress != nil
    }
    if hasUrgency { update.isUrgent = wanted.isUrgent }
    return update
  }
}

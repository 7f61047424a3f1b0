// SPDX-License-Identifier: MIT
internal import EventLoop

/// Says when the next frame of signals may go: not while the bus still has the last one to read, and
/// then only after a pause of the time that took, so that a slow bus gets fewer frames rather than a
/// growing queue.
///
/// A frame is whatever is signalled together. How long the bus took is learnt by looking: a lone
/// change long after the last frame finds nothing unread and goes at once.
struct FramePacer {
  /// Bytes the bus may leave unread without being called slow: about a turn's replies.
  static let tolerance = 12 * 1_024

  /// The longest a frame is held: however slow the bus, subscribers get news.
  static let longestGap: Int64 = 250_000_000

  /// The pause, in times of what the last frame took.
  static let pause: Int64 = 2

  /// When to look again while the bus is behind.
  static let look: Int64 = 4_000_000

  private var start: Int64 = .min
  private var lastSeenBehind: Int64 = .min
  private var isLeaving = false
  private var opens: Int64 = .min

  /// The instant at which it is worth asking again, after a refusal.
  private(set) var nextLook = Instant(nanoseconds: .min)

  /// Whether a frame may go at `now`; `unread` says how many bytes wait for the bus.
  mutating func mayStart(at now: Instant, unread: () -> Int) -> Bool {
    if isLeaving {
      if now.nanoseconds < start + Self.longestGap && unread() > Self.tolerance {
        lastSeenBehind = now.nanoseconds
        nextLook = now.advanced(byNanoseconds: Self.look)
        return false
      }
      isLeaving = false
      let took = max(lastSeenBehind, start) - start
      opens = start + min(took * (1 + Self.pause), Self.longestGap)
    }
    nextLook = Instant(nanoseconds: opens)
    return now.nanoseconds >= opens
  }

  /// Notes that a frame went at `now`.
  mutating func didStart(at now: Instant) {
    start = now.nanoseconds
    lastSeenBehind = .min
    isLeaving = true
  }
}

// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc

/// A point on the clock that starts at boot and goes on during suspend (`CLOCK_BOOTTIME`).
///
/// Arithmetic saturates: an instant too far away to be represented is the last one there is.
public struct Instant: Comparable, Hashable, Sendable {
  /// Nanoseconds since boot.
  public var nanoseconds: Int64

  /// The instant `nanoseconds` after boot.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// What the clock shows.
  ///
  /// The corresponding C function is `clock_gettime`.
  public static func now() -> Instant {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Whether `left` comes before `right`.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The instant `duration` later, or the last one there is.
  public static func + (instant: Instant, duration: Duration) -> Instant {
    instant.advanced(byNanoseconds: duration.saturatedNanoseconds)
  }

  /// The instant `duration` earlier, or the first one there is.
  public static func - (instant: Instant, duration: Duration) -> Instant {
    let nanoseconds = duration.saturatedNanoseconds
    return instant.advanced(byNanoseconds: nanoseconds == .min ? .max : -nanoseconds)
  }

  /// How long after `right` the instant `left` is; negative when it is before.
  public static func - (left: Instant, right: Instant) -> Duration {
    .nanoseconds(left.nanoseconds) - .nanoseconds(right.nanoseconds)
  }

  /// The instant `nanoseconds` later (earlier when negative), within what can be represented.
  public func advanced(byNanoseconds nanoseconds: Int64) -> Instant {
    let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
    guard overflow else { return Instant(nanoseconds: sum) }
    return Instant(nanoseconds: nanoseconds < 0 ? .min : .max)
  }
}

extension Duration {
  /// The duration in whole nanoseconds, within what 64 bits can hold.
  public var saturatedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? (seconds < 0 ? .min : .max) : sum
  }
}

// SPDX-License-Identifier: MIT
internal import EventLoop
internal import Glibc

/// Which boot this is, and what its clock says in terms of the wall's.
struct BootClock: Hashable {
  /// The boot's own identity; empty where the kernel tells none.
  var bootID: String

  /// When the boot clock was zero, in nanoseconds since the epoch by the wall clock.
  var epoch: Int64

  /// What is so now.
  static func now() -> BootClock {
    let bytes = SmallFile.read("/proc/sys/kernel/random/boot_id") ?? []
    let text = bytes.split(separator: UInt8(ascii: "\n")).first ?? []
    return BootClock(bootID: String(decoding: text, as: UTF8.self), epoch: presentEpoch())
  }

  /// When the boot clock was zero, by the wall clock of this moment.
  static func presentEpoch() -> Int64 {
    WallClock.nanoseconds() &- Instant.now().nanoseconds
  }

  /// A deadline of an earlier boot as one of this boot.
  ///
  /// What is left is told by the wall, and never below zero, nor above what it was when that boot
  /// began: a clock that fell back makes nothing last longer.
  func deadline(_ deadline: Int64, of earlier: BootClock, now: Int64) -> Int64 {
    let (elapsed, overflow) = (epoch &+ now).subtractingReportingOverflow(earlier.epoch)
    let left = overflow ? deadline : deadline &- max(elapsed, 0)
    return Instant(nanoseconds: now).advanced(byNanoseconds: max(left, 0)).nanoseconds
  }
}

/// The wall clock.
enum WallClock {
  /// Nanoseconds since the epoch.
  static func nanoseconds() -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Seconds since the epoch.
  static func seconds() -> UInt64 {
    UInt64(max(nanoseconds(), 0)) / 1_000_000_000
  }
}

// SPDX-License-Identifier: MIT
internal import CLinux
internal import EventLoop
internal import Glibc

/// Which boot this is, and when its clock was zero by the wall clock.
struct BootClock: Hashable {
  /// The kernel's id of the boot; empty where it can't be read.
  var bootID: String

  /// When the boot clock was zero, in nanoseconds since the epoch by the wall clock.
  var epoch: Int64

  /// The present boot.
  static func now() -> BootClock {
    let bytes = ProcFile.read("/proc/sys/kernel/random/boot_id") ?? []
    let text = bytes.split(separator: UInt8(ascii: "\n")).first ?? []
    return BootClock(bootID: String(decoding: text, as: UTF8.self), epoch: currentEpoch())
  }

  /// When the boot clock was zero, by what the wall clock says at this moment.
  static func currentEpoch() -> Int64 {
    WallClock.nanoseconds() &- Instant.now().nanoseconds
  }

  /// Translates a deadline of an earlier boot to this boot.
  ///
  /// The wall clock tells how much is left: never less than nothing, nor more than there was when
  /// that boot began, so that a clock that fell back makes nothing last longer.
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

/// Fires when the wall clock reaches a time, also when it does so by being set
/// (`timerfd_create(2)` with `CLOCK_REALTIME` and an absolute time).
///
/// Its descriptor is opened when it is first needed.
final class WallClockAlarm {
  /// Called each time the alarm fires.
  var onTime: (() -> Void)?

  private let loop: EventLoop
  private var descriptor: OwnedDescriptor?
  private var watch: Watch?

  init(loop: EventLoop) {
    self.loop = loop
  }

  deinit {
    watch?.cancel()
  }

  /// Sets the alarm to `seconds` since the epoch in place of what it was set to; 0 for never.
  func set(_ seconds: UInt64) throws(SystemError) {
    if seconds > 0 && watch == nil { try open() }
    guard let watch else { return }
    var value = itimerspec()
    // A time beyond the clock's range never comes; all zero disarms.
    if seconds <= UInt64(Int32.max) * 4 { value.it_value.tv_sec = time_t(seconds) }
    _ = unsafe timerfd_settime(watch.descriptor, CInt(TFD_TIMER_ABSTIME), &value, nil)
  }

  private func open() throws(SystemError) {
    let raw = timerfd_create(CLOCK_REALTIME, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
    guard raw >= 0 else { throw .last("timerfd_create") }
    descriptor = OwnedDescriptor(adopting: raw)
    watch = try loop.watch(raw, for: .readable) { [weak self] _ in
      var count: UInt64 = 0
      _ = unsafe read(raw, &count, MemoryLayout<UInt64>.size)
      self?.onTime?()
    }
  }
}

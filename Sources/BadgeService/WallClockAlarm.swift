// SPDX-License-Identifier: MIT
internal import CLinux
internal import EventLoop
internal import Glibc

/// Wakes the loop when the wall clock reaches a time, also when that happens by setting the clock
/// (`timerfd_create(2)` with `CLOCK_REALTIME` and an absolute time).
final class WallClockAlarm {
  private let descriptor: OwnedDescriptor
  private var watch: Watch?

  init(loop: EventLoop, _ action: @escaping () -> Void) throws(SystemError) {
    let raw = timerfd_create(CLOCK_REALTIME, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
    guard raw >= 0 else { throw .last("timerfd_create") }
    descriptor = OwnedDescriptor(adopting: raw)
    watch = try loop.watch(raw, for: .readable) { [weak self] _ in
      self?.acknowledge()
      action()
    }
  }

  deinit {
    watch?.cancel()
  }

  /// Sets the alarm to `seconds` since the epoch, in place of what it was set to; nil: to nothing.
  func set(_ seconds: UInt64?) {
    var value = itimerspec()
    // A time beyond the clock's range never comes; all zero would disarm.
    if let seconds, seconds <= UInt64(Int32.max) * 4 {
      value.it_value.tv_sec = time_t(max(seconds, 1))
    }
    _ = unsafe timerfd_settime(descriptor.rawValue, CInt(TFD_TIMER_ABSTIME), &value, nil)
  }

  private func acknowledge() {
    var count: UInt64 = 0
    _ = unsafe read(descriptor.rawValue, &count, MemoryLayout<UInt64>.size)
  }
}

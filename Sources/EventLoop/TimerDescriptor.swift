// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc

/// The one timerfd of a loop, on `CLOCK_BOOTTIME`.
///
/// It is armed for the earliest deadline. When that moves away it stays as it is: waking once for
/// nothing costs less than a system call for each timer that came and went. With no timer left it is
/// disarmed, so that an idle loop sleeps.
struct TimerDescriptor: ~Copyable {
  let descriptor: OwnedDescriptor
  private var armed: Instant?

  init() throws(SystemError) {
    let descriptor = timerfd_create(CLOCK_BOOTTIME, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
    guard descriptor >= 0 else { throw .last("timerfd_create") }
    self.descriptor = OwnedDescriptor(adopting: descriptor)
  }

  /// Notes that the timer went off.
  mutating func didExpire() {
    // It is watched edge-triggered, so nothing needs to be read.
    armed = nil
  }

  mutating func update(earliest: Instant?) throws(SystemError) {
    guard let earliest else {
      if armed != nil { try set(nil) }
      return
    }
    if let armed, armed <= earliest { return }
    try set(earliest)
  }

  private mutating func set(_ deadline: Instant?) throws(SystemError) {
    var value = itimerspec()
    if let deadline {
      // All zero would disarm it.
      let nanoseconds = max(deadline.nanoseconds, 1)
      value.it_value.tv_sec = time_t(nanoseconds / 1_000_000_000)
      value.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
    }
    let status = unsafe timerfd_settime(
      descriptor.rawValue,
      CInt(TFD_TIMER_ABSTIME),
      &value,
      nil
    )
    guard status == 0 else { throw .last("timerfd_settime") }
    armed = deadline
  }
}

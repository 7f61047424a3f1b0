// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc

/// An action an ``EventLoop`` runs once, at a given instant or as soon after it as it can.
///
/// The loop keeps the timer until it has fired or was cancelled.
public final class Timer {
  /// When the action is due.
  public let deadline: Instant

  /// Timers with the same deadline fire in the order they were scheduled.
  let sequence: UInt64

  /// The place in the heap, or -1 outside of it.
  fileprivate var position = -1

  private var action: (() -> Void)?
  private weak var loop: EventLoop?

  init(deadline: Instant, sequence: UInt64, loop: EventLoop?, action: @escaping () -> Void) {
    self.deadline = deadline
    self.sequence = sequence
    self.loop = loop
    self.action = action
  }

  /// Whether the action is still to come.
  public var isScheduled: Bool { position >= 0 }

  /// Takes the timer off the loop, so that its action does not run; does nothing after it ran.
  public func cancel() {
    loop?.remove(self)
    action = nil
  }

  func fire() {
    let action = self.action
    self.action = nil
    action?()
  }

  fileprivate func precedes(_ other: Timer) -> Bool {
    deadline == other.deadline ? sequence < other.sequence : deadline < other.deadline
  }
}

/// A binary heap of timers, earliest first.
///
/// Each timer knows its place, so that removing one of thousands takes a few steps.
struct TimerQueue {
  private var heap: [Timer] = []

  var first: Timer? { heap.first }

  mutating func insert(_ timer: Timer) {
    timer.position = heap.count
    heap.append(timer)
    moveUp(timer.position)
  }

  mutating func remove(_ timer: Timer) {
    let position = timer.position
    guard position >= 0 else { return }
    timer.position = -1
    let last = heap.removeLast()
    guard position < heap.count else { return }
    heap[position] = last
    last.position = position
    moveUp(position)
    moveDown(last.position)
  }

  private mutating func moveUp(_ start: Int) {
    var position = start
    while position > 0 {
      let parent = (position - 1) / 2
      guard heap[position].precedes(heap[parent]) else { return }
      exchange(position, parent)
      position = parent
    }
  }

  private mutating func moveDown(_ start: Int) {
    var position = start
    while true {
      var earliest = position
      for child in [2 * position + 1, 2 * position + 2]
      where child < heap.count && heap[child].precedes(heap[earliest]) {
        earliest = child
      }
      guard earliest != position else { return }
      exchange(position, earliest)
      position = earliest
    }
  }

  private mutating func exchange(_ one: Int, _ other: Int) {
    heap.swapAt(one, other)
    heap[one].position = one
    heap[other].position = other
  }
}

/// The one timerfd of a loop, on `CLOCK_BOOTTIME`.
///
/// It is armed for the earliest deadline. When that timer is cancelled it stays armed: one idle
/// wake-up costs less than a system call for each timer that comes and goes. With no timer left it is
/// disarmed, so that an idle loop sleeps.
struct TimerDescriptor: ~Copyable {
  let descriptor: OwnedDescriptor
  private var armed: Instant?

  init() throws(SystemError) {
    let raw = try systemCall("timerfd_create") {
      timerfd_create(CLOCK_BOOTTIME, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
    }
    descriptor = OwnedDescriptor(adopting: raw)
  }

  /// Notes that the timer went off.
  ///
  /// It is watched edge-triggered, so nothing needs to be read.
  mutating func didExpire() {
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
    let raw = descriptor.rawValue
    try systemCall("timerfd_settime") {
      unsafe timerfd_settime(raw, CInt(TFD_TIMER_ABSTIME), &value, nil)
    }
    armed = deadline
  }
}

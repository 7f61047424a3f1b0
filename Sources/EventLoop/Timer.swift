// SPDX-License-Identifier: MIT

/// Something an ``EventLoop`` does once, at a given instant or as soon after it as it can.
///
/// The loop keeps the timer until it fired or was cancelled.
public final class Timer {
  /// When the action is due.
  public let deadline: Instant

  /// Timers of one deadline fire in the order they were scheduled.
  let sequence: UInt64

  /// The place in the queue, or -1 outside of it.
  var position = -1

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

  /// Takes the timer off the loop, so that its action does not run; nothing after it ran.
  public func cancel() {
    loop?.remove(self)
    action = nil
  }

  func fire() {
    let action = self.action
    self.action = nil
    action?()
  }

  static func precedes(_ left: Timer, _ right: Timer) -> Bool {
    left.deadline == right.deadline
      ? left.sequence < right.sequence : left.deadline < right.deadline
  }
}

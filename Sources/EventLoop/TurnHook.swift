// SPDX-License-Identifier: MIT

/// Something an ``EventLoop`` does at the end of each turn, until it is cancelled.
public final class TurnHook {
  private(set) var action: (() -> Void)?

  init(action: @escaping () -> Void) {
    self.action = action
  }

  /// Whether the hook will run again.
  public var isActive: Bool { action != nil }

  /// Ends it: the action is not called again.
  public func cancel() {
    action = nil
  }
}

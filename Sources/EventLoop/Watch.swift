// SPDX-License-Identifier: MIT

/// A descriptor an ``EventLoop`` watches, and what happens when it is ready.
///
/// The loop keeps the watch until ``cancel()``; letting go of this object alone ends nothing. Cancel
/// before the descriptor is closed.
public final class Watch {
  /// The descriptor, which belongs to whoever asked for the watch.
  public let descriptor: CInt

  let identifier: UInt64
  let handler: (Readiness) -> Void
  private weak var loop: EventLoop?

  init(
    descriptor: CInt,
    identifier: UInt64,
    interest: Readiness,
    loop: EventLoop,
    handler: @escaping (Readiness) -> Void
  ) {
    self.descriptor = descriptor
    self.identifier = identifier
    self.interest = interest
    self.loop = loop
    self.handler = handler
  }

  /// What the handler wants to hear of.
  ///
  /// The empty set is legal: hang-ups and errors are reported all the same.
  public var interest: Readiness {
    didSet {
      guard interest != oldValue else { return }
      loop?.updateInterest(of: self)
    }
  }

  /// Whether the loop still watches.
  public var isActive: Bool {
    loop?.isWatching(self) ?? false
  }

  /// Ends the watch: the handler is not called again, not even for events already fetched.
  public func cancel() {
    loop?.forget(self)
  }
}

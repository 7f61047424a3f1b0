// SPDX-License-Identifier: MIT

/// Signals that a handler is called for, until ``cancel()`` or the connection's end.
///
/// The connection keeps it; letting go of this object changes nothing.
public final class Subscription {
  private var handler: ((Message) -> Void)?
  /// The subscriptions to the same rule.
  private weak var group: SubscriptionGroup?
  private weak var connection: BusConnection?

  init(
    group: SubscriptionGroup,
    connection: BusConnection,
    handler: @escaping (Message) -> Void
  ) {
    self.group = group
    self.connection = connection
    self.handler = handler
  }

  /// Whether the handler is still to be called.
  public var isActive: Bool { handler != nil }

  /// Ends the subscription: the handler is not called again, not even for what was already read.
  public func cancel() {
    guard handler != nil else { return }
    handler = nil
    if let group { connection?.leave(group, self) }
  }

  func deliver(_ message: Message) {
    handler?(message)
  }

  /// Forgets the handler, for a connection that is gone.
  func end() {
    handler = nil
  }
}

/// The subscriptions to one rule, which the bus is told once.
final class SubscriptionGroup {
  let rule: MatchRule
  let text: String
  /// For a rule that asks for a well-known name as the sender.
  let owner: SenderOwner?
  var subscriptions: [Subscription] = []

  init(rule: MatchRule, text: String, owner: SenderOwner?) {
    self.rule = rule
    self.text = text
    self.owner = owner
  }

  func matches(_ message: Message) -> Bool {
    owner?.matches(rule, message) ?? rule.matches(message)
  }
}

// SPDX-License-Identifier: MIT

extension BusConnection {
  /// Subscribes to what `matches` says and `text` tells the bus.
  func subscribe(
    text: String,
    matches: @escaping (Message) -> Bool,
    _ handler: @escaping (Message) -> Void
  ) throws(BusError) -> Subscription {
    let group: SubscriptionGroup
    if let existing = groups.first(where: { $0.text == text }) {
      group = existing
    } else {
      group = SubscriptionGroup(text: text, matches: matches)
      try addMatch(group)
      groups.append(group)
    }
    let subscription = Subscription(group: group, connection: self, handler: handler)
    group.subscriptions.append(subscription)
    return subscription
  }

  /// Tells the bus of a rule without waiting for its answer.
  private func addMatch(_ group: SubscriptionGroup) throws(BusError) {
    let text = group.text
    try call(.bus(MemberName(constant: "AddMatch"))) { writer throws(BusError) in
      writer.append(text)
    } completion: { [weak self] result in
      guard case .failure(let error) = result, error.name != .disconnected else { return }
      self?.onSubscriptionFailure?(text, error)
    }
  }

  func leave(_ group: SubscriptionGroup, _ subscription: Subscription) {
    group.subscriptions.removeAll { $0 === subscription }
    guard group.subscriptions.isEmpty, groups.contains(where: { $0 === group }) else { return }
    groups.removeAll { $0 === group }
    let text = group.text
    // A connection that is gone has no rules on the bus either.
    try? send(.bus(MemberName(constant: "RemoveMatch"))) { $0.append(text) }
  }

  /// Calls the handlers whose rules match, in the order the rules came.
  func deliver(_ signal: Message) {
    // Handlers may subscribe and cancel; what they add is for later signals.
    for group in groups where group.matches(signal) {
      for subscription in group.subscriptions { subscription.deliver(signal) }
    }
  }

  func endSubscriptions() {
    let groups = self.groups
    self.groups = []
    for group in groups {
      for subscription in group.subscriptions { subscription.end() }
    }
  }
}

// SPDX-License-Identifier: MIT

extension BusConnection {
  /// Calls `handler` for each signal that the rule asks for, until the subscription is cancelled.
  ///
  /// The bus is told of the rule without waiting for its answer, and of equal rules once; a refusal
  /// goes to ``onSubscriptionFailure``. A well-known name as the sender means whoever owns it when
  /// the signal comes.
  ///
  /// - Throws: ``BusError`` `MatchRuleInvalid`, `Disconnected`.
  @discardableResult
  public func subscribe(
    _ rule: MatchRule,
    _ handler: @escaping (Message) -> Void
  ) throws(BusError) -> Subscription {
    let text = try rule.validText()
    if let group = groups.first(where: { $0.text == text }) {
      return join(group, handler)
    }
    var owner: SenderOwner?
    if let sender = rule.sender, !sender.isUnique, sender != .bus {
      owner = try follow(sender)
    }
    let group = SubscriptionGroup(rule: rule, text: text, owner: owner)
    do throws(BusError) {
      try addMatch(group)
    } catch {
      if let owner { release(owner) }
      throw error
    }
    groups.append(group)
    return join(group, handler)
  }

  private func join(
    _ group: SubscriptionGroup,
    _ handler: @escaping (Message) -> Void
  ) -> Subscription {
    let subscription = Subscription(group: group, connection: self, handler: handler)
    group.subscriptions.append(subscription)
    return subscription
  }

  /// Tells the bus of a rule without waiting for its answer.
  private func addMatch(_ group: SubscriptionGroup) throws(BusError) {
    let text = group.text
    try call(.bus(BusDriver.addMatch)) { writer throws(BusError) in
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
    try? send(.bus(BusDriver.removeMatch)) { $0.append(text) }
    if let owner = group.owner { release(owner) }
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
    owners = []
    for group in groups {
      for subscription in group.subscriptions { subscription.end() }
    }
  }

  /// Learns who owns a name, from now on.
  private func follow(_ name: BusName) throws(BusError) -> SenderOwner {
    if let owner = owners.first(where: { $0.name == name }) {
      owner.useCount += 1
      return owner
    }
    let owner = SenderOwner(name: name)
    var rule = MatchRule.signal(
      BusDriver.nameOwnerChanged,
      of: BusDriver.interface,
      from: BusDriver.path,
      sender: .bus
    )
    rule.arguments[0] = name.rawValue
    owner.subscription = try subscribe(rule) { [weak owner] in owner?.take($0) }
    do throws(BusError) {
      try call(.bus(BusDriver.nameOwner)) { writer throws(BusError) in
        writer.append(name.rawValue)
      } completion: { [weak owner] in
        owner?.take($0)
      }
    } catch {
      owner.subscription?.cancel()
      throw error
    }
    owners.append(owner)
    owner.useCount = 1
    return owner
  }

  private func release(_ owner: SenderOwner) {
    owner.useCount -= 1
    guard owner.useCount == 0 else { return }
    owners.removeAll { $0 === owner }
    owner.subscription?.cancel()
  }
}

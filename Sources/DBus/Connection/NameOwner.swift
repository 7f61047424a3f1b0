// SPDX-License-Identifier: MIT

/// Follows which connection owns a well-known name, until ``cancel()`` or until nobody keeps it.
public final class NameOwner {
  /// The name that is followed.
  public let name: BusName
  /// The unique name of the owner; nil where there is none, or the bus has not said yet.
  public private(set) var current: BusName?
  /// Whether the bus has said who owns the name, if anybody.
  public private(set) var isKnown = false

  private let onChange: (BusName?) -> Void
  private var subscription: Subscription?
  private var query: PendingCall?

  /// Starts to follow a name.
  ///
  /// - Parameters:
  ///   - name: A well-known name.
  ///   - connection: The connection to follow it on.
  ///   - asks: Whether to ask for the present owner too, rather than follow later changes alone.
  ///   - onChange: Called with each new owner, nil when the name has lost its owner, and with the
  ///     present one where there is one.
  /// - Throws: ``BusError`` `Disconnected`.
  public init(
    of name: BusName,
    on connection: Connection,
    asks: Bool = true,
    onChange: @escaping (BusName?) -> Void
  ) throws(BusError) {
    self.name = name
    self.onChange = onChange
    var rule = MatchRule.signal(
      BusDriver.nameOwnerChanged,
      of: BusDriver.interface,
      from: BusDriver.path,
      sender: .bus
    )
    rule.arguments = [0: name.rawValue]
    subscription = try connection.subscribe(rule) { [weak self] signal in
      guard let change = NameOwnerChange(signal) else { return }
      self?.update(change.newOwner, isNews: true)
    }
    guard asks else { return }
    query = try connection.call(.bus(BusDriver.getNameOwner)) {
      $0.append(name.rawValue)
    } completion: {
      [weak self] result in
      switch result {
      case .success(let reply):
        var reader = reply.makeReader()
        guard let owner = (try? reader.readString()).flatMap({ BusName($0) }) else { return }
        self?.update(owner, isNews: owner != self?.current)
      case .failure(let error):
        guard error.name == .nameHasNoOwner else { return }
        self?.update(nil, isNews: self?.current != nil)
      }
    }
  }

  deinit {
    cancel()
  }

  /// Ends it: `onChange` is not called again.
  public func cancel() {
    subscription?.cancel()
    query?.cancel()
  }

  private func update(_ owner: BusName?, isNews: Bool) {
    isKnown = true
    current = owner
    if isNews { onChange(owner) }
  }
}

/// What a `NameOwnerChanged` says.
public struct NameOwnerChange: Hashable, Sendable {
  /// The name, well known or unique.
  public let name: BusName
  /// The unique name of the owner before; nil where there was none.
  public let oldOwner: BusName?
  /// The unique name of the new owner; nil where there is none.
  public let newOwner: BusName?

  /// Reads a `NameOwnerChanged` of the bus; nil for any other message.
  public init?(_ message: Message) {
    guard message.hasSender(.bus), message.hasMember(BusDriver.nameOwnerChanged) else { return nil }
    var reader = message.makeReader()
    guard let name = (try? reader.readString()).flatMap({ BusName($0) }),
      let oldOwner = try? reader.readString(), let newOwner = try? reader.readString()
    else { return nil }
    self.name = name
    self.oldOwner = BusName(oldOwner)
    self.newOwner = BusName(newOwner)
  }
}

// SPDX-License-Identifier: MIT

/// Which messages somebody asks the bus for; what is nil or empty matches anything.
///
/// Source: D-Bus specification, "Match Rules".
public struct MatchRule: Hashable, Sendable {
  /// The most a bus takes, in bytes.
  static let maximumLength = 1024
  /// Arguments are counted up to this one.
  static let lastArgument = 63

  /// The message type.
  public var type: MessageType?
  /// The sender; a well-known name stands for its owner at that time.
  public var sender: BusName?
  /// The destination.
  public var destination: BusName?
  /// Exactly this object.
  public var path: ObjectPath?
  /// The interface of the member.
  public var interface: InterfaceName?
  /// The method or signal.
  public var member: MemberName?
  /// Arguments, counted from 0 to 63, that are texts equal to these.
  public var arguments: [Int: String]

  /// A rule that asks for what is given.
  public init(
    type: MessageType? = nil,
    sender: BusName? = nil,
    destination: BusName? = nil,
    path: ObjectPath? = nil,
    interface: InterfaceName? = nil,
    member: MemberName? = nil,
    arguments: [Int: String] = [:]
  ) {
    self.type = type
    self.sender = sender
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }

  /// A rule for signals.
  public static func signal(
    _ member: MemberName? = nil,
    of interface: InterfaceName? = nil,
    from path: ObjectPath? = nil,
    sender: BusName? = nil
  ) -> MatchRule {
    MatchRule(type: .signal, sender: sender, path: path, interface: interface, member: member)
  }

  // MARK: Text

  /// The rule as `AddMatch` takes it; equal rules give equal texts.
  public var text: String {
    var text = ""
    func add(_ key: String, _ value: String?) {
      guard let value else { return }
      if !text.isEmpty { text += "," }
      text += key
      text += "='"
      text += value.utf8.contains(UInt8(ascii: "'")) ? Self.quoted(value) : value
      text += "'"
    }
    add("type", type?.ruleName)
    add("sender", sender?.rawValue)
    add("destination", destination?.rawValue)
    add("path", path?.rawValue)
    add("interface", interface?.rawValue)
    add("member", member?.rawValue)
    for index in arguments.keys.sorted() { add("arg\(index)", arguments[index]) }
    return text
  }

  /// The rule's text, if a bus would take it.
  ///
  /// - Throws: ``BusError`` `MatchRuleInvalid` with the reason.
  func validText() throws(BusError) -> String {
    for index in arguments.keys.sorted() where index < 0 || index > Self.lastArgument {
      throw Self.invalid("arguments are counted from 0 to \(Self.lastArgument): '\(index)'")
    }
    let text = self.text
    if text.utf8.contains(0) { throw Self.invalid("a text with a NUL in it") }
    if text.utf8.count > Self.maximumLength {
      throw Self.invalid("more than \(Self.maximumLength) bytes: \(text.utf8.count)")
    }
    return text
  }

  private static func invalid(_ reason: String) -> BusError {
    BusError(name: .matchRuleInvalid, message: "not a match rule: \(reason)")
  }

  /// Escapes a value for single quotes, between which only a quote itself is special: it is written
  /// outside of them.
  private static func quoted(_ value: String) -> String {
    var bytes: [UInt8] = []
    for byte in value.utf8 {
      if byte == UInt8(ascii: "'") { bytes += "'\\''".utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Matching

  /// Whether the rule matches the message.
  ///
  /// Only the bus knows for certain which connection owns a well-known ``sender``. A caller that knows
  /// it too passes it as `senderOwner`; else every sender matches, and the bus's own filter has to do.
  public func matches(_ message: Message, senderOwner: BusName? = nil) -> Bool {
    if let type, message.type != type { return false }
    if let member, !message.hasMember(member) { return false }
    if let path, !message.hasPath(path) { return false }
    if let interface, !message.hasInterface(interface) { return false }
    if let sender, !Self.matches(sender, senderOwner, message) { return false }
    if let destination, message.destination != destination { return false }
    return arguments.isEmpty || matchesArguments(of: message)
  }

  private static func matches(_ sender: BusName, _ owner: BusName?, _ message: Message) -> Bool {
    if message.hasSender(sender) { return true }
    if sender.isUnique || sender == .bus { return false }
    return owner.map { message.hasSender($0) } ?? true
  }

  private func matchesArguments(of message: Message) -> Bool {
    guard let last = arguments.keys.max(), last >= 0 else { return true }
    var reader = message.makeReader()
    for index in 0...last {
      guard let expected = arguments[index] else {
        guard (try? reader.skipValue()) != nil else { return false }
        continue
      }
      guard let text = try? reader.readString(), text.utf8.elementsEqual(expected.utf8) else {
        return false
      }
    }
    return true
  }
}

/// A handler that is called for signals, until ``cancel()`` or the connection's end.
///
/// The connection keeps it, so this object need not be kept.
public final class Subscription {
  private var handler: ((Message) -> Void)?
  private weak var connection: Connection?

  fileprivate init(connection: Connection, handler: @escaping (Message) -> Void) {
    self.connection = connection
    self.handler = handler
  }

  /// Whether the handler is still to be called.
  public var isActive: Bool { handler != nil }

  /// Ends the subscription: the handler is not called again, not even for what was received already.
  public func cancel() {
    guard handler != nil else { return }
    handler = nil
    connection?.cancel(self)
  }

  fileprivate func deliver(_ message: Message) {
    handler?(message)
  }

  /// Forgets the handler of a connection that is closed.
  fileprivate func end() {
    handler = nil
  }
}

/// The match rules of a connection and their subscriptions.
///
/// Anybody may address a signal to this connection past all rules, so each signal is matched again
/// here, and one that claims to come from a well-known name must come from the name's owner.
final class Subscriptions {
  /// The subscriptions to one rule, which the bus is told once.
  private final class Group {
    let rule: MatchRule
    let text: String
    /// For a rule with a well-known name as the sender.
    let owner: NameOwner?
    var subscriptions: [Subscription] = []

    init(rule: MatchRule, text: String, owner: NameOwner?) {
      self.rule = rule
      self.text = text
      self.owner = owner
    }

    func matches(_ message: Message) -> Bool {
      guard let owner, owner.isKnown else { return rule.matches(message) }
      return owner.current != nil && rule.matches(message, senderOwner: owner.current)
    }
  }

  private var groups: [Group] = []

  /// How many rules the bus was told.
  var ruleCount: Int { groups.count }

  func add(
    _ rule: MatchRule,
    on connection: Connection,
    _ handler: @escaping (Message) -> Void
  ) throws(BusError) -> Subscription {
    let text = try rule.validText()
    let known = groups.first { $0.text == text }
    let group = if let known { known } else { try makeGroup(rule, text, on: connection) }
    let subscription = Subscription(connection: connection, handler: handler)
    group.subscriptions.append(subscription)
    return subscription
  }

  private func makeGroup(
    _ rule: MatchRule,
    _ text: String,
    on connection: Connection
  ) throws(BusError) -> Group {
    var owner: NameOwner?
    if let sender = rule.sender, !sender.isUnique, sender != .bus {
      owner = groups.first { $0.owner?.name == sender }?.owner
      if owner == nil { owner = try NameOwner(of: sender, on: connection) { _ in } }
    }
    try connection.call(.bus(BusDriver.addMatch)) {
      $0.append(text)
    } completion: {
      [weak connection] result in
      guard case .failure(let error) = result, error.name != .disconnected else { return }
      connection?.onSubscriptionFailure?(text, error)
    }
    let group = Group(rule: rule, text: text, owner: owner)
    groups.append(group)
    return group
  }

  /// Takes a subscription out.
  ///
  /// - Returns: The rule's text where no subscription to it is left.
  func remove(_ subscription: Subscription) -> String? {
    let index = groups.firstIndex { $0.subscriptions.contains { $0 === subscription } }
    guard let index else { return nil }
    let group = groups[index]
    group.subscriptions.removeAll { $0 === subscription }
    guard group.subscriptions.isEmpty else { return nil }
    groups.remove(at: index)
    return group.text
  }

  /// Calls the handlers whose rules match, in the order the rules came.
  func deliver(_ signal: Message) {
    // Handlers may subscribe and cancel; what they add is for later signals.
    for group in groups where group.matches(signal) {
      for subscription in group.subscriptions { subscription.deliver(signal) }
    }
  }

  /// Ends all subscriptions, of a connection that is closed.
  func end() {
    let ended = groups
    groups = []
    for group in ended {
      for subscription in group.subscriptions { subscription.end() }
    }
  }
}

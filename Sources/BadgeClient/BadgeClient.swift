// SPDX-License-Identifier: MIT
import BadgeBus
public import BadgeCore
package import DBus
package import EventLoop

/// A typed client of the badge daemon, over one connection to a bus.
///
/// Each request blocks until the daemon has answered. ``events(of:)`` follows changes, either by
/// blocking or inside a program's own event loop. Use a client on one thread.
///
/// ```swift
/// let client = try BadgeClient()
/// try client.set("mail", to: 3)
/// try client.update("mail", [(.description, .string("3 unread")), (.urgent, .boolean(true))])
/// for badge in try client.list().badges where badge.isVisible {
///   print(badge.id, badge.label)
/// }
/// ```
public final class BadgeClient {
  private typealias Method = BadgeNames.Method

  /// How long a request may take, including the time D-Bus needs to start the daemon.
  public var timeout: Duration = .seconds(25)
  package let connection: Connection
  private let address: String

  /// Connects to the bus at an address, or to the session bus.
  ///
  /// - Parameter address: A D-Bus address such as `unix:path=/run/user/1000/bus`; nil means
  ///   `DBUS_SESSION_BUS_ADDRESS`, else `$XDG_RUNTIME_DIR/bus`, else `/run/user/UID/bus`.
  /// - Throws: ``ClientError/noBus(address:reason:)``.
  public init(address: String? = nil) throws(ClientError) {
    guard let address = address ?? Connection.sessionAddress() else {
      throw .noBus(address: "", reason: "no address of a session bus is known")
    }
    self.address = address
    do {
      connection = try Connection(deferringHello: address)
    } catch {
      throw .noBus(address: address, reason: error.message)
    }
  }

  /// Lets a loop receive messages, which a ``BadgeFollower`` needs.
  ///
  /// - Throws: ``ClientError/noBus(address:reason:)`` if the bus refuses the client.
  package func attach(to loop: EventLoop) throws(ClientError) {
    // Hello goes out with the first call. Make one here, where its failure can be reported.
    if connection.uniqueName == nil {
      _ = try send(.bus(MemberName(constant: "GetId")))
    }
    do { try connection.attach(to: loop) } catch { throw ClientError(error) }
  }

  /// Calls a method of the manager and waits for the reply.
  func call(
    _ member: StaticString,
    of interface: InterfaceName = BadgeNames.interface,
    _ arguments: Value...
  ) throws(ClientError) -> Message {
    let call = MethodCall(
      destination: BadgeNames.service,
      path: BadgeNames.manager,
      interface: interface,
      member: MemberName(constant: member)
    )
    return try send(call, arguments)
  }

  private func send(_ call: MethodCall, _ arguments: [Value] = []) throws(ClientError) -> Message {
    let deadline = Instant.now() + timeout
    do {
      return try connection.callAndWait(call, timeout: timeout) { body throws(BusError) in
        for argument in arguments { body.append(argument) }
      }
    } catch {
      // Without a unique name it was the bus that refused.
      guard connection.uniqueName != nil else {
        throw .noBus(address: address, reason: error.message)
      }
      // The bus also sends NoReply, but earlier, if the daemon leaves before it has answered.
      if error.name == .noReply, Instant.now() >= deadline { throw .noAnswer(within: timeout) }
      throw ClientError(error)
    }
  }

  /// Reads a reply.
  ///
  /// - Throws: ``ClientError/unexpectedReply(_:)`` if it is not what the interface promises.
  func read<Result>(
    _ message: Message,
    _ body: (inout MessageReader) throws(BusError) -> Result
  ) throws(ClientError) -> Result {
    var reader = message.makeReader()
    do { return try body(&reader) } catch { throw .unexpectedReply(error.message) }
  }
}

/// Requests that change badges.
extension BadgeClient {
  /// Shows a count; an absent badge is created.
  public func set(_ id: String, to count: Int64) throws(ClientError) {
    _ = try call(Method.set, .string(id), .int64(count))
  }

  /// Shows a text; an empty one clears the badge.
  public func set(_ id: String, to text: String) throws(ClientError) {
    _ = try call(Method.setText, .string(id), .string(text))
  }

  /// Shows a dot.
  public func setDot(_ id: String) throws(ClientError) {
    _ = try call(Method.setDot, .string(id))
  }

  /// Sets one named source of a badge; 0 removes the source.
  public func set(_ id: String, source: String, to count: Int64) throws(ClientError) {
    _ = try call(Method.setSource, .string(id), .string(source), .int64(count))
  }

  /// Adds to a badge's number or to one of its named sources.
  ///
  /// - Returns: The badge's new count.
  @discardableResult
  public func increment(_ id: String, source: String? = nil, by amount: Int64 = 1)
    throws(ClientError) -> Int64
  {
    try step(source == nil ? Method.increment : Method.incrementSource, id, source, amount)
  }

  /// Subtracts from a badge's number or from one of its named sources, down to zero.
  ///
  /// - Returns: The badge's new count.
  @discardableResult
  public func decrement(_ id: String, source: String? = nil, by amount: Int64 = 1)
    throws(ClientError) -> Int64
  {
    try step(source == nil ? Method.decrement : Method.decrementSource, id, source, amount)
  }

  private func step(_ member: StaticString, _ id: String, _ source: String?, _ amount: Int64)
    throws(ClientError) -> Int64
  {
    let reply =
      if let source {
        try call(member, .string(id), .string(source), .int64(amount))
      } else {
        try call(member, .string(id), .int64(amount))
      }
    return try read(reply) { reader throws(BusError) in try reader.readInt64() }
  }

  /// Changes several keys of a badge at once, all or nothing; the other keys keep their values.
  public func update(_ id: String, _ changes: [(key: BadgeKey, value: PropertyValue)])
    throws(ClientError)
  {
    let entries = changes.map { change in
      DictionaryEntry(key: .string(change.key.name), value: .variant(change.value.busValue))
    }
    let dictionary = Value.dictionary(key: .string, value: Signature(.variant), entries)
    _ = try call(Method.update, .string(id), dictionary)
  }

  /// Sets a badge to the number 0; its style stays.
  public func clear(_ id: String) throws(ClientError) {
    _ = try call(Method.clear, .string(id))
  }

  /// Removes a badge and its style.
  public func remove(_ id: String) throws(ClientError) {
    _ = try call(Method.remove, .string(id))
  }

  /// Removes all badges.
  ///
  /// - Returns: How many there were.
  @discardableResult
  public func removeAll() throws(ClientError) -> UInt32 {
    try read(try call(Method.removeAll)) { reader throws(BusError) in try reader.readUInt32() }
  }

  /// Hides a badge until its value changes, as a user does from a panel.
  public func dismiss(_ id: String) throws(ClientError) {
    _ = try call(Method.dismiss, .string(id))
  }

  /// Ends a badge's urgency.
  public func acknowledge(_ id: String) throws(ClientError) {
    _ = try call(Method.acknowledge, .string(id))
  }
}

extension BadgeClient {
  /// Reads one badge.
  ///
  /// - Throws: ``ClientError/noSuchBadge(message:)`` if there is none with this id.
  public func get(_ id: String) throws(ClientError) -> BadgeState {
    let reply = try call(Method.get, .string(id))
    let badgeID: BadgeID
    do { badgeID = try BadgeID(id) } catch { throw .unexpectedReply(error.message) }
    return try read(reply) { reader throws(BusError) in
      var badge = BadgeState(id: badgeID)
      try badge.apply(&reader)
      return badge
    }
  }

  /// Reads all badges.
  public func list() throws(ClientError) -> BadgeSnapshot {
    try read(try call(Method.list)) { reader throws(BusError) in try BadgeSnapshot(&reader) }
  }
}

// SPDX-License-Identifier: MIT
public import DBus
public import EventLoop

/// A typed client of the badge daemon, over one connection to a bus.
///
/// Requests block until the daemon has answered. To follow changes, iterate over ``events(of:)``, or
/// ``attach(to:)`` an event loop and make a ``BadgeFollower``.
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
  /// The connection the requests travel on.
  public let connection: Connection
  /// How long a request may take, the start of the daemon included.
  public var timeout: Duration = .seconds(25)
  private let address: String

  /// Connects to the bus at an address, or to the session bus.
  ///
  /// - Parameter address: In the words of D-Bus, such as `unix:path=/run/user/1000/bus`; nil is
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

  /// Lets a loop handle what comes in, as a ``BadgeFollower`` needs it.
  ///
  /// - Throws: ``ClientError/noBus(address:reason:)`` where the bus does not let the client in.
  public func attach(to loop: EventLoop) throws(ClientError) {
    // Hello goes out with the first call, and a loop's calls have nobody to tell that it failed.
    if connection.uniqueName == nil {
      _ = try send(.bus(MemberName(constant: "GetId"))) { _ in }
    }
    do { try connection.attach(to: loop) } catch { throw ClientError(error) }
  }

  /// Calls a method of the manager, of its own interface unless another is named, and waits for its
  /// reply.
  func call(
    _ member: StaticString,
    of interface: InterfaceName = BadgeNames.interface,
    _ body: (inout MessageWriter) throws(BusError) -> Void = { _ in }
  ) throws(ClientError) -> Message {
    let call = MethodCall(
      destination: BadgeNames.service,
      path: BadgeNames.manager,
      interface: interface,
      member: MemberName(constant: member)
    )
    return try send(call, body)
  }

  /// Sends a call and waits for its reply.
  func send(
    _ call: MethodCall,
    _ body: (inout MessageWriter) throws(BusError) -> Void
  ) throws(ClientError) -> Message {
    let deadline = Instant.now() + timeout
    do {
      return try connection.callAndWait(call, timeout: timeout, body)
    } catch {
      // Without a name the bus itself has not let this connection in.
      guard connection.uniqueName != nil else {
        throw .noBus(address: address, reason: error.message)
      }
      // The bus says the same, sooner, of one that went away.
      if error.name == .noReply, Instant.now() >= deadline { throw .noAnswer(within: timeout) }
      throw ClientError(error)
    }
  }

  /// Reads a reply; what does not fit is the daemon's fault.
  func read<Result>(
    _ message: Message,
    _ body: (inout MessageReader) throws(BusError) -> Result
  ) throws(ClientError) -> Result {
    var reader = message.makeReader()
    do { return try body(&reader) } catch { throw .unexpectedReply(error.message) }
  }
}

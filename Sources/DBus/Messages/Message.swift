// SPDX-License-Identifier: MIT
internal import CDBus

/// A message of libdbus's, received or about to be sent.
///
/// Source: D-Bus specification, "Message Format".
@safe
public final class Message {
  /// A reference that this object owns.
  let raw: OpaquePointer
  /// The message type.
  public let type: MessageType
  /// The number by which the sender knows the message.
  public let serial: UInt32
  /// The number of the call that this message replies to; 0 where it is no reply.
  public let replySerial: UInt32

  /// Takes over a reference to a message; nil, and the reference is given up, for one of a type that
  /// this version of the specification does not have.
  init?(adopting raw: OpaquePointer) {
    let code = unsafe dbus_message_get_type(raw)
    guard let type = UInt8(exactly: code).flatMap({ MessageType(rawValue: $0) }) else {
      unsafe dbus_message_unref(raw)
      return nil
    }
    unsafe self.raw = raw
    self.type = type
    serial = unsafe dbus_message_get_serial(raw)
    replySerial = unsafe dbus_message_get_reply_serial(raw)
  }

  /// Has libdbus validate bytes, and makes a message of them.
  ///
  /// The corresponding C function is `dbus_message_demarshal`.
  ///
  /// - Throws: ``BusError`` with libdbus's reason where the bytes are not a message.
  static func demarshal(_ bytes: UnsafeRawBufferPointer) throws(BusError) -> Message {
    guard let start = bytes.baseAddress, let count = CInt(exactly: bytes.count) else {
      throw .inconsistentMessage("not a message")
    }
    let text = unsafe start.assumingMemoryBound(to: CChar.self)
    let raw = try BusError.check { unsafe dbus_message_demarshal(text, count, $0) }
    guard let message = unsafe Message(adopting: raw) else {
      throw .inconsistentMessage("a message of an unknown type")
    }
    return message
  }

  /// Has libdbus validate bytes of an array, for tests.
  static func demarshal(_ bytes: [UInt8]) throws(BusError) -> Message {
    var buffer = ByteBuffer()
    buffer.append(bytes)
    return unsafe try buffer.withUnsafeBytes { bytes throws(BusError) in
      unsafe try demarshal(bytes)
    }
  }

  deinit {
    unsafe dbus_message_unref(raw)
  }

  /// The object that is called, or that sends the signal.
  public var path: ObjectPath? { unsafe name(dbus_message_get_path(raw)) }

  /// The interface of the member; a call may leave it out.
  public var interface: InterfaceName? { unsafe name(dbus_message_get_interface(raw)) }

  /// The method or signal.
  public var member: MemberName? { unsafe name(dbus_message_get_member(raw)) }

  /// The name of the error in an error reply.
  public var errorName: ErrorName? { unsafe name(dbus_message_get_error_name(raw)) }

  /// The connection the message is for; nil where it is broadcast.
  public var destination: BusName? { unsafe name(dbus_message_get_destination(raw)) }

  /// The unique name of the connection that sent the message, set by the bus.
  public var sender: BusName? { unsafe name(dbus_message_get_sender(raw)) }

  /// The types of the body; empty where there is none.
  public var signature: String {
    unsafe dbus_message_get_signature(raw).map { unsafe String(cString: $0) } ?? ""
  }

  /// Whether the caller waits for a reply.
  public var expectsReply: Bool {
    unsafe type == .methodCall && dbus_message_get_no_reply(raw) == 0
  }

  /// Whether the path is this one; cheaper than comparing with ``path``.
  public func hasPath(_ path: ObjectPath) -> Bool {
    unsafe path.rawValue.equals(dbus_message_get_path(raw))
  }

  /// Whether the interface is this one; cheaper than comparing with ``interface``.
  public func hasInterface(_ interface: InterfaceName) -> Bool {
    unsafe interface.rawValue.equals(dbus_message_get_interface(raw))
  }

  /// Whether the member is this one; cheaper than comparing with ``member``.
  public func hasMember(_ member: MemberName) -> Bool {
    unsafe member.rawValue.equals(dbus_message_get_member(raw))
  }

  /// Whether the sender is this one; cheaper than comparing with ``sender``.
  public func hasSender(_ sender: BusName) -> Bool {
    unsafe sender.rawValue.equals(dbus_message_get_sender(raw))
  }

  /// Whether the body has these types; cheaper than comparing with ``signature``.
  public func hasSignature(_ signature: Signature) -> Bool {
    unsafe signature.rawValue.equals(dbus_message_get_signature(raw))
  }

  /// Whether the message has an interface, which a call may leave out.
  var namesInterface: Bool { unsafe dbus_message_get_interface(raw) != nil }

  /// A reader at the first value of the body.
  public func makeReader() -> MessageReader { MessageReader(self) }

  /// All values of the body.
  ///
  /// - Throws: ``BusError`` `LimitsExceeded` where one has too many parts.
  public func values() throws(BusError) -> [Value] {
    var reader = makeReader()
    var values: [Value] = []
    while reader.nextType != nil { values.append(try reader.readValue()) }
    return values
  }

  /// The error in an error reply, its text the first value of the body; nil for other messages.
  public var error: BusError? {
    guard type == .error else { return nil }
    var reader = makeReader()
    let text = reader.nextType == .string ? try? reader.readString() : nil
    return BusError(name: errorName ?? .failed, message: text ?? "")
  }

  /// Whether this can be the reply to a call to `destination`.
  ///
  /// Serials are easily guessed, and a session bus lets anybody reply to anything.
  func isReply(of destination: BusName) -> Bool {
    guard type == .methodReturn || type == .error else { return false }
    guard let sender = unsafe dbus_message_get_sender(raw) else {
      // Without a bus in between there is nobody else.
      return true
    }
    if unsafe BusDriver.name.rawValue.equals(sender) {
      return destination == .bus || type == .error
    }
    // The bus does not say who owned a well-known name, so for those any reply counts.
    return destination.isUnique
      ? unsafe destination.rawValue.equals(sender) : destination != .bus
  }

  /// Whether libdbus made this message to tell that the connection is closed; none that arrives over
  /// the wire can be like it.
  var isLocalDisconnect: Bool {
    unsafe dbus_message_get_sender(raw) == nil
      && dbus_message_is_signal(raw, DBUS_INTERFACE_LOCAL, "Disconnected") != 0
  }

  /// The length of the message in bytes; costs a copy of it.
  var byteCount: Int {
    var bytes: UnsafeMutablePointer<CChar>?
    var count: CInt = 0
    guard unsafe dbus_message_marshal(raw, &bytes, &count) != 0 else { return .max }
    unsafe dbus_free(bytes)
    return Int(count)
  }

  /// Whether file descriptors came with the message; they are never read, and go with it.
  var carriesDescriptors: Bool { unsafe dbus_message_contains_unix_fds(raw) != 0 }

  private func name<Rule>(_ text: UnsafePointer<CChar>?) -> DBusName<Rule>? {
    guard let text = unsafe text else { return nil }
    return DBusName(validated: unsafe String(cString: text))
  }
}

// SPDX-License-Identifier: MIT

/// A message that came in: a header whose fields are read when asked for, and a body for a
/// ``MessageReader``.
///
/// Source: D-Bus specification, "Message Format".
public final class Message {
  /// What the message is for.
  public let kind: MessageKind
  /// The number by which the sender knows the message.
  public let serial: UInt32
  /// The number of the call that this message answers; 0 where it answers none.
  public let replySerial: UInt32
  let flags: MessageFlags
  /// The message as it travelled.
  let bytes: [UInt8]
  /// Whether the sender's byte order is the other one.
  let isSwapped: Bool
  let bodyStart: Int
  let fields: MessageHeader.Fields
  /// The descriptors that came along.
  var descriptors: [UnixDescriptor]

  /// Takes a message as it travelled, if every byte of it is as it should be.
  ///
  /// - Throws: ``BusError`` `InconsistentMessage` where the bytes are not a message.
  init(bytes: [UInt8], descriptors: [UnixDescriptor] = []) throws(BusError) {
    let header = try MessageHeader(bytes.span)
    let cursor = ByteCursor(isSwapped: header.isSwapped)
    guard cursor.isBody(bytes.span, types: header.fields.signature, from: header.bodyStart) else {
      throw .inconsistentMessage("the body is not what its signature says")
    }
    kind = header.kind
    serial = header.serial
    replySerial = header.fields.replySerial
    flags = header.flags
    isSwapped = header.isSwapped
    bodyStart = header.bodyStart
    fields = header.fields
    self.bytes = bytes
    self.descriptors = descriptors
  }

  /// The object that is called, or that signals.
  public var path: ObjectPath? { text(fields.path).map { ObjectPath(validated: $0) } }

  /// The interface of the member; a call may leave it out.
  public var interface: InterfaceName? {
    text(fields.interface).map { InterfaceName(validated: $0) }
  }

  /// The method or signal.
  public var member: MemberName? { text(fields.member).map { MemberName(validated: $0) } }

  /// The name of an error reply's error.
  public var errorName: ErrorName? { text(fields.errorName).map { ErrorName(validated: $0) } }

  /// Whom the message is for; nil where it is for all.
  public var destination: BusName? { text(fields.destination).map { BusName(validated: $0) } }

  /// The unique name of the connection that sent the message, vouched for by the bus.
  public var sender: BusName? { text(fields.sender).map { BusName(validated: $0) } }

  /// The types of the body; empty where there is none.
  public var signature: String { text(fields.signature) ?? "" }

  /// Whether the caller waits for a reply.
  public var expectsReply: Bool { kind == .methodCall && !flags.contains(.noReplyExpected) }

  /// Whether the path is this one; cheaper than comparing with ``path``.
  public func hasPath(_ path: ObjectPath) -> Bool { has(fields.path, path.rawValue) }

  /// Whether the interface is this one; cheaper than comparing with ``interface``.
  public func hasInterface(_ interface: InterfaceName) -> Bool {
    has(fields.interface, interface.rawValue)
  }

  /// Whether the member is this one; cheaper than comparing with ``member``.
  public func hasMember(_ member: MemberName) -> Bool { has(fields.member, member.rawValue) }

  /// Whether the sender is this one; cheaper than comparing with ``sender``.
  public func hasSender(_ sender: BusName) -> Bool { has(fields.sender, sender.rawValue) }

  /// Whether the body's types are these; cheaper than comparing with ``signature``.
  public func hasSignature(_ signature: Signature) -> Bool {
    fields.signature.isEmpty
      ? signature.rawValue.isEmpty : has(fields.signature, signature.rawValue)
  }

  /// A reader at the first value of the body.
  public func makeReader() -> MessageReader { MessageReader(self) }

  /// All values of the body.
  ///
  /// - Throws: ``BusError`` `InconsistentMessage` where the body is not what the signature says.
  public func values() throws(BusError) -> [Value] {
    var reader = makeReader()
    var values: [Value] = []
    while reader.nextType != nil { values.append(try reader.readValue()) }
    return values
  }

  /// The error that an error reply tells of, its text the first value of the body; nil for other
  /// messages.
  public var error: BusError? {
    guard kind == .error else { return nil }
    var reader = makeReader()
    let text = reader.nextType == .string ? try? reader.readString() : nil
    return BusError(name: errorName ?? .failed, message: text ?? "")
  }

  private func text(_ range: Range<Int>) -> String? {
    range.isEmpty ? nil : String(decoding: bytes[range], as: UTF8.self)
  }

  private func has(_ range: Range<Int>, _ text: String) -> Bool {
    guard !range.isEmpty else { return false }
    let bytes = bytes
    return bytes.span.isEqual(to: text, at: range)
  }
}

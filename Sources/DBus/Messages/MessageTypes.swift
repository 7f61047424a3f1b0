// SPDX-License-Identifier: MIT

/// The message type in the header.
public enum MessageType: UInt8, Hashable, Sendable {
  /// `METHOD_CALL`.
  case methodCall = 1
  /// `METHOD_RETURN`, the reply to a call.
  case methodReturn = 2
  /// `ERROR`, the reply to a call that failed.
  case error = 3
  /// `SIGNAL`.
  case signal = 4

  /// The type as match rules spell it.
  var ruleName: String {
    switch self {
    case .methodCall: "method_call"
    case .methodReturn: "method_return"
    case .error: "error"
    case .signal: "signal"
    }
  }
}

/// The destination of a call, and the method it calls.
public struct MethodCall: Hashable, Sendable {
  /// The connection that is called.
  public var destination: BusName
  /// The object.
  public var path: ObjectPath
  /// The interface; where it is left out, the callee chooses.
  public var interface: InterfaceName?
  /// The method.
  public var member: MemberName
  /// Whether the bus may start a service for the destination.
  public var autoStart: Bool

  /// A call of a method, without its arguments.
  public init(
    destination: BusName,
    path: ObjectPath,
    interface: InterfaceName?,
    member: MemberName,
    autoStart: Bool = true
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.autoStart = autoStart
  }

  /// A method of the bus itself, `org.freedesktop.DBus`.
  public static func bus(_ member: MemberName) -> MethodCall {
    MethodCall(
      destination: .bus,
      path: BusDriver.path,
      interface: BusDriver.interface,
      member: member,
      autoStart: false
    )
  }

  /// How errors name the call.
  var label: String { "\(member) of \(destination)" }
}

/// The header of a message to be sent, section "Message Format" of the D-Bus specification.
struct MessageHeader {
  struct Flags: OptionSet {
    let rawValue: UInt8

    static let noReplyExpected = Flags(rawValue: 1)
    static let noAutoStart = Flags(rawValue: 2)
  }

  private enum Field: UInt8 {
    case path = 1
    case interface = 2
    case member = 3
    case errorName = 4
    case replySerial = 5
    case destination = 6
    case sender = 7
    case signature = 8
  }

  var type: MessageType
  var flags: Flags = []
  /// Never 0.
  var serial: UInt32
  var replySerial: UInt32?
  var path: ObjectPath?
  var interface: InterfaceName?
  var member: MemberName?
  var errorName: ErrorName?
  var destination: BusName?
  /// Only the bus sets it, and tests.
  var sender: BusName?

  /// Fills an empty buffer with the whole message: the header, and the body with its signature.
  func marshal(
    body: borrowing ByteBuffer,
    signature: borrowing ByteBuffer,
    into buffer: inout ByteBuffer
  ) {
    #if _endian(little)
      buffer.append(UInt8(ascii: "l"))
    #else
      buffer.append(UInt8(ascii: "B"))
    #endif
    buffer.append(type.rawValue)
    buffer.append(flags.rawValue)
    buffer.append(1)
    buffer.append(aligned: UInt32(truncatingIfNeeded: body.count))
    buffer.append(aligned: serial)
    let lengthPosition = buffer.count
    buffer.append(aligned: 0 as UInt32)
    let start = buffer.count
    Self.append(path?.rawValue, as: .path, .objectPath, to: &buffer)
    Self.append(interface?.rawValue, as: .interface, .string, to: &buffer)
    Self.append(member?.rawValue, as: .member, .string, to: &buffer)
    Self.append(errorName?.rawValue, as: .errorName, .string, to: &buffer)
    if let replySerial {
      Self.begin(.replySerial, .uint32, to: &buffer)
      buffer.append(aligned: replySerial)
    }
    Self.append(destination?.rawValue, as: .destination, .string, to: &buffer)
    Self.append(sender?.rawValue, as: .sender, .string, to: &buffer)
    if signature.count > 0 {
      Self.begin(.signature, .signature, to: &buffer)
      buffer.append(UInt8(truncatingIfNeeded: signature.count))
      buffer.append(contentsOf: signature)
      buffer.append(0)
    }
    buffer.replace(at: lengthPosition, with: UInt32(truncatingIfNeeded: buffer.count - start))
    buffer.align(to: 8)
    buffer.append(contentsOf: body)
  }

  @inline(__always)
  private static func begin(_ field: Field, _ code: TypeCode, to buffer: inout ByteBuffer) {
    buffer.align(to: 8)
    buffer.append(field.rawValue)
    buffer.append(1, code.rawValue, 0)
  }

  private static func append(
    _ text: String?,
    as field: Field,
    _ code: TypeCode,
    to buffer: inout ByteBuffer
  ) {
    guard let text else { return }
    begin(field, code, to: &buffer)
    buffer.append(aligned: UInt32(truncatingIfNeeded: text.utf8.count))
    _ = buffer.append(terminated: text.utf8)
  }
}

// SPDX-License-Identifier: MIT

/// The header of a message to be sent.
struct OutgoingHeader {
  var kind: MessageKind
  var flags: MessageFlags = []
  var serial: UInt32
  var replySerial: UInt32?
  var path: ObjectPath?
  var interface: InterfaceName?
  var member: MemberName?
  var errorName: ErrorName?
  var destination: BusName?

  #if _endian(little)
    static let byteOrder = UInt8(ascii: "l")
  #else
    static let byteOrder = UInt8(ascii: "B")
  #endif

  /// Appends the whole message, header and the writer's body, at the buffer's end.
  func compose(_ writer: borrowing MessageWriter, into buffer: inout ByteBuffer) {
    let start = buffer.count
    buffer.origin = start
    buffer.append(Self.byteOrder)
    buffer.append(kind.rawValue)
    buffer.append(flags.rawValue)
    buffer.append(1)
    buffer.append(aligned: UInt32(truncatingIfNeeded: writer.body.count))
    buffer.append(aligned: serial)
    buffer.append(aligned: 0 as UInt32)
    if let path { Self.append(path.rawValue, as: .path, .objectPath, to: &buffer) }
    if let interface { Self.append(interface.rawValue, as: .interface, .string, to: &buffer) }
    if let member { Self.append(member.rawValue, as: .member, .string, to: &buffer) }
    if let errorName { Self.append(errorName.rawValue, as: .errorName, .string, to: &buffer) }
    if let replySerial { Self.append(replySerial, as: .replySerial, to: &buffer) }
    if let destination { Self.append(destination.rawValue, as: .destination, .string, to: &buffer) }
    let typesLength = writer.types.count
    if typesLength > 0 {
      Self.begin(.signature, .signature, to: &buffer)
      buffer.append(UInt8(truncatingIfNeeded: typesLength))
      buffer.append(contentsOf: writer.types)
      buffer.append(0)
    }
    if !writer.descriptors.isEmpty {
      let count = UInt32(truncatingIfNeeded: writer.descriptors.count)
      Self.append(count, as: .unixDescriptors, to: &buffer)
    }
    let fieldsLength = UInt32(truncatingIfNeeded: buffer.count - start - 16)
    buffer.replace(at: start + 12, with: fieldsLength)
    buffer.align(to: 8)
    buffer.append(contentsOf: writer.body)
  }

  @inline(__always)
  private static func begin(
    _ field: HeaderField,
    _ code: TypeCode,
    to buffer: inout ByteBuffer
  ) {
    buffer.align(to: 8)
    buffer.append(field.rawValue)
    buffer.append(1)
    buffer.append(code.rawValue)
    buffer.append(0)
  }

  private static func append(
    _ number: UInt32,
    as field: HeaderField,
    to buffer: inout ByteBuffer
  ) {
    begin(field, .uint32, to: &buffer)
    buffer.append(aligned: number)
  }

  private static func append(
    _ text: String,
    as field: HeaderField,
    _ code: TypeCode,
    to buffer: inout ByteBuffer
  ) {
    begin(field, code, to: &buffer)
    buffer.append(aligned: UInt32(truncatingIfNeeded: text.utf8.count))
    _ = buffer.append(terminated: text.utf8)
  }
}

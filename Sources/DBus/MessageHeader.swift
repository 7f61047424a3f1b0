// SPDX-License-Identifier: MIT

/// The header of a message that came in, as positions in its bytes.
struct MessageHeader {
  /// Where each field's text lies; empty where the field is absent.
  struct Fields {
    var path = 0..<0
    var interface = 0..<0
    var member = 0..<0
    var errorName = 0..<0
    var destination = 0..<0
    var sender = 0..<0
    var signature = 0..<0
    var replySerial: UInt32 = 0
    var descriptorCount: UInt32 = 0
  }

  let kind: MessageKind
  let flags: MessageFlags
  let serial: UInt32
  let isSwapped: Bool
  let bodyStart: Int
  private(set) var fields = Fields()

  /// Parses the header; libdbus has validated what it hands over, and other bytes throw.
  init(_ bytes: [UInt8]) throws(BusError) {
    let malformed = BusError.inconsistentMessage("not the header of a message")
    guard bytes.count >= 16, let kind = MessageKind(rawValue: bytes[1]) else { throw malformed }
    switch bytes[0] {
    case UInt8(ascii: "l"): isSwapped = OutgoingHeader.byteOrder != UInt8(ascii: "l")
    case UInt8(ascii: "B"): isSwapped = OutgoingHeader.byteOrder != UInt8(ascii: "B")
    default: throw malformed
    }
    self.kind = kind
    flags = MessageFlags(rawValue: bytes[2])
    let cursor = ByteCursor(isSwapped: isSwapped)
    guard let bodyLength = cursor.uint32(bytes.span, at: 4),
      let serial = cursor.uint32(bytes.span, at: 8),
      let fieldsLength = cursor.uint32(bytes.span, at: 12)
    else { throw malformed }
    self.serial = serial
    let end = 16 + Int(fieldsLength)
    bodyStart = end.aligned(to: 8)
    guard bodyStart + Int(bodyLength) == bytes.count else { throw malformed }
    var position = 16
    while position < end {
      position = position.aligned(to: 8)
      guard let next = parseField(bytes.span, at: position, end: end, cursor) else {
        throw malformed
      }
      position = next
    }
    let types = bytes.span.extracting(fields.signature)
    guard SignatureGrammar.completeTypeCount(types) != nil else { throw malformed }
  }

  /// Notes the field that starts at `position` and returns where it ends.
  private mutating func parseField(
    _ bytes: borrowing Span<UInt8>,
    at position: Int,
    end: Int,
    _ cursor: ByteCursor
  ) -> Int? {
    guard position + 4 < end else { return nil }
    let field = HeaderField(rawValue: bytes[position])
    let text: Range<Int>
    switch bytes[position + 1] == 1 ? TypeCode(rawValue: bytes[position + 2]) : nil {
    case .string, .objectPath:
      guard let range = cursor.text(bytes, at: position + 4, end: end) else { return nil }
      text = range
    case .signature:
      guard let range = cursor.signature(bytes, at: position + 4, end: end) else { return nil }
      text = range
    case .uint32:
      guard let number = cursor.uint32(bytes, at: position + 4) else { return nil }
      if field == .replySerial { fields.replySerial = number }
      if field == .unixDescriptors { fields.descriptorCount = number }
      return position + 8
    default:
      // A field of a later version of the specification.
      guard let types = cursor.variant(bytes, at: position + 1, end: end) else { return nil }
      return cursor.skip(
        bytes,
        type: types.lowerBound,
        at: types.upperBound + 1,
        end: end
      )
    }
    switch field {
    case .path: fields.path = text
    case .interface: fields.interface = text
    case .member: fields.member = text
    case .errorName: fields.errorName = text
    case .destination: fields.destination = text
    case .sender: fields.sender = text
    case .signature: fields.signature = text
    default: break
    }
    return text.upperBound + 1
  }
}

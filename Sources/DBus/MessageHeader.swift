// SPDX-License-Identifier: MIT

/// The header of a message that came in, as positions in its bytes.
///
/// Source: D-Bus specification, "Message Format" and "Header Fields".
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
    /// The fields that are there, a bit for each code.
    fileprivate var present: UInt16 = 0

    fileprivate func has(_ fields: HeaderField...) -> Bool {
      for field in fields where present & (1 << UInt16(field.rawValue)) == 0 { return false }
      return true
    }
  }

  /// The part that every header has.
  static let fixedLength = 16
  /// A message is at most this many bytes long.
  static let maximumMessageLength = 1 << 27

  let kind: MessageKind
  let flags: MessageFlags
  let serial: UInt32
  let isSwapped: Bool
  let bodyStart: Int
  private(set) var fields = Fields()

  /// The length of the message that starts at `position`, as its first ``fixedLength`` bytes tell;
  /// nil where these are not there or no message starts so.
  static func messageLength(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int? {
    guard position >= 0, position + fixedLength <= bytes.count,
      let isSwapped = isSwapped(bytes[position]), bytes[position + 1] != 0,
      bytes[position + 3] == 1
    else { return nil }
    let cursor = ByteCursor(isSwapped: isSwapped)
    guard let bodyLength = cursor.uint32(bytes, at: position + 4),
      let fieldsLength = cursor.uint32(bytes, at: position + 12),
      fieldsLength <= ByteCursor.maximumArrayLength
    else { return nil }
    let length = (fixedLength + Int(fieldsLength)).aligned(to: 8) + Int(bodyLength)
    return length <= maximumMessageLength ? length : nil
  }

  private static func isSwapped(_ byteOrder: UInt8) -> Bool? {
    switch byteOrder {
    case UInt8(ascii: "l"), UInt8(ascii: "B"): byteOrder != OutgoingHeader.byteOrder
    default: nil
    }
  }

  /// Parses the header, and refuses what is not one.
  init(_ bytes: Span<UInt8>) throws(BusError) {
    let malformed = BusError.inconsistentMessage("not the header of a message")
    guard Self.messageLength(bytes, at: 0) == bytes.count,
      let kind = MessageKind(rawValue: bytes[1]),
      let isSwapped = Self.isSwapped(bytes[0])
    else { throw malformed }
    self.kind = kind
    self.isSwapped = isSwapped
    flags = MessageFlags(rawValue: bytes[2])
    let cursor = ByteCursor(isSwapped: isSwapped)
    guard let serial = cursor.uint32(bytes, at: 8), serial != 0,
      let fieldsLength = cursor.uint32(bytes, at: 12)
    else { throw malformed }
    self.serial = serial
    let end = Self.fixedLength + Int(fieldsLength)
    bodyStart = end.aligned(to: 8)
    var position = Self.fixedLength
    while position < end {
      guard let start = cursor.padded(bytes, from: position, to: 8, end: end),
        let next = parseField(bytes, at: start, end: end, cursor)
      else { throw malformed }
      position = next
    }
    guard cursor.padded(bytes, from: end, to: 8, end: bytes.count) != nil, isComplete else {
      throw malformed
    }
  }

  /// Whether the fields are there that a message of this kind has to have.
  private var isComplete: Bool {
    switch kind {
    case .methodCall: fields.has(.path, .member)
    case .methodReturn: fields.has(.replySerial)
    case .error: fields.has(.replySerial, .errorName)
    case .signal: fields.has(.path, .interface, .member)
    }
  }

  /// Notes the field that starts at `position` and returns where it ends; nil where it is none.
  private mutating func parseField(
    _ bytes: Span<UInt8>,
    at position: Int,
    end: Int,
    _ cursor: ByteCursor
  ) -> Int? {
    guard position + 4 < end, bytes[position] != 0 else { return nil }
    guard let field = HeaderField(rawValue: bytes[position]) else {
      return cursor.endOfVariant(bytes, at: position + 1, end: end)
    }
    let bit: UInt16 = 1 << UInt16(field.rawValue)
    guard fields.present & bit == 0, bytes[position + 1] == 1, bytes[position + 3] == 0,
      bytes[position + 2] == field.type.rawValue
    else { return nil }
    fields.present |= bit
    let start = position + 4
    let text: Range<Int>?
    switch field.type {
    case .uint32:
      guard start + 4 <= end, let number = cursor.uint32(bytes, at: start) else { return nil }
      if field == .replySerial {
        guard number != 0 else { return nil }
        fields.replySerial = number
      } else {
        fields.descriptorCount = number
      }
      return start + 4
    case .signature: text = cursor.signature(bytes, at: start, end: end)
    default: text = cursor.text(bytes, at: start, end: end)
    }
    guard let text, note(field, text, bytes.extracting(text)) else { return nil }
    return text.upperBound + 1
  }

  /// Notes where a field's text lies, if it is a text that the field may have.
  private mutating func note(_ field: HeaderField, _ range: Range<Int>, _ text: Span<UInt8>) -> Bool
  {
    switch field {
    case .path:
      fields.path = range
      return NameGrammar.isObjectPath(text) && !text.isEqual(to: BusDriver.localPath.rawValue)
    case .interface:
      fields.interface = range
      return NameGrammar.isInterfaceName(text)
        && !text.isEqual(to: BusDriver.localInterface.rawValue)
    case .member:
      fields.member = range
      return NameGrammar.isMemberName(text)
    case .errorName:
      fields.errorName = range
      return NameGrammar.isInterfaceName(text)
    case .destination:
      fields.destination = range
      return NameGrammar.isBusName(text)
    case .sender:
      fields.sender = range
      return NameGrammar.isBusName(text)
    case .signature:
      fields.signature = range
      return SignatureGrammar.completeTypeCount(text) != nil
    case .containerInstance:
      return NameGrammar.isObjectPath(text)
    case .replySerial, .unixDescriptors:
      return false
    }
  }
}

extension ByteCursor {
  /// Where the variant at `position` ends, a field of a later version of the specification.
  fileprivate func endOfVariant(_ bytes: Span<UInt8>, at position: Int, end: Int) -> Int? {
    guard let types = variant(bytes, at: position, end: end) else { return nil }
    var place = Place(type: types.lowerBound, position: types.upperBound + 1)
    // It is in a structure in an array.
    return isValue(bytes, at: &place, end: end, depth: 3) ? place.position : nil
  }
}

extension Span<UInt8> {
  /// Whether the bytes, or those of a range, are those of a text.
  func isEqual(to text: String, at range: Range<Int>? = nil) -> Bool {
    let range = range ?? indices
    let other = text.utf8.span
    guard range.count == other.count else { return false }
    for index in other.indices where self[range.lowerBound + index] != other[index] { return false }
    return true
  }
}

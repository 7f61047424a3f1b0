// SPDX-License-Identifier: MIT

extension MessageReader {
  /// Reads the value in a variant, of at most so many parts.
  ///
  /// - Throws: As ``readValue()`` does.
  public mutating func readVariant(
    parts: Int = ConnectionLimits.valueParts
  ) throws(BusError) -> Value {
    var room = PartsLeft(of: parts)
    return try readVariant(&room)
  }

  /// Reads the next value, whatever its type.
  ///
  /// - Throws: ``BusError`` `InvalidArgs` where there is none, and `LimitsExceeded` for one of more
  ///   than ``ConnectionLimits/valueParts`` parts: each takes many times the room that a byte of the
  ///   message does.
  public mutating func readValue() throws(BusError) -> Value {
    var room = PartsLeft(of: ConnectionLimits.valueParts)
    return try readValue(&room)
  }

  private mutating func readVariant(_ room: inout PartsLeft) throws(BusError) -> Value {
    var value: Value?
    try readVariant { content throws(BusError) in value = try content.readValue(&room) }
    guard let value else { throw malformed }
    return value
  }

  private mutating func readValue(_ room: inout PartsLeft) throws(BusError) -> Value {
    guard let code = nextType else { throw .invalidArguments("a value is missing") }
    try room.take()
    switch code {
    case .byte: return .byte(try readByte())
    case .boolean: return .boolean(try readBoolean())
    case .int16: return .int16(try readInt16())
    case .uint16: return .uint16(try readUInt16())
    case .int32: return .int32(try readInt32())
    case .uint32: return .uint32(try readUInt32())
    case .int64: return .int64(try readInt64())
    case .uint64: return .uint64(try readUInt64())
    case .double: return .double(try readDouble())
    case .string: return .string(try readString())
    case .objectPath: return .objectPath(try readObjectPath())
    case .signature: return .signature(try readSignature())
    case .unixDescriptor: return .unixDescriptor(try readUnixDescriptor())
    case .variant: return .variant(try readVariant(&room))
    case .structure: return .structure(try readMemberValues(&room))
    case .array: return try readArrayValue(&room)
    case .dictionaryEntry: throw malformed
    }
  }

  /// Reads an array of bytes, type `ay`.
  public mutating func readBytes() throws(BusError) -> [UInt8] {
    try expect(.array)
    guard type + 1 < typesEnd, bytes[type + 1] == TypeCode.byte.rawValue else {
      throw .invalidArguments("'\(nextSignature)' where 'ay' belongs")
    }
    let start = position.aligned(to: 4)
    guard let elements = cursor.array(bytes.span, type: type, at: start),
      elements.upperBound <= end
    else { throw malformed }
    position = elements.upperBound
    type += 2
    return Array(bytes[elements])
  }

  private mutating func readMemberValues(_ room: inout PartsLeft) throws(BusError) -> [Value] {
    var members: [Value] = []
    try readStructure { reader throws(BusError) in
      while reader.nextType != nil { members.append(try reader.readValue(&room)) }
    }
    return members
  }

  private mutating func readArrayValue(_ room: inout PartsLeft) throws(BusError) -> Value {
    let end = SignatureGrammar.endOfType(bytes.span, from: type)
    guard let end else { throw malformed }
    if let key = TypeCode(rawValue: bytes[type + 2]),
      bytes[type + 1] == TypeCode.dictionaryEntry.rawValue
    {
      let value = signature(type + 3..<end - 1)
      var entries: [DictionaryEntry] = []
      try readEntries { entry throws(BusError) in
        let key = try entry.readValue(&room)
        entries.append(DictionaryEntry(key: key, value: try entry.readValue(&room)))
      }
      return .dictionary(key: key, value: value, entries)
    }
    let element = signature(type + 1..<end)
    var values: [Value] = []
    try readArray { reader throws(BusError) in values.append(try reader.readValue(&room)) }
    return .array(element, values)
  }
}

/// How many parts of a value may still be read.
private struct PartsLeft {
  private let limit: Int
  private var left: Int

  init(of limit: Int) {
    self.limit = limit
    left = limit
  }

  /// Takes one.
  mutating func take() throws(BusError) {
    guard left > 0 else {
      throw .limitsExceeded("a value of more than \(limit) parts, such as elements of arrays")
    }
    left -= 1
  }
}

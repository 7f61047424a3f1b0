// SPDX-License-Identifier: MIT

extension MessageReader {
  /// Moves past the next value, whatever it is.
  public mutating func skipValue() throws(BusError) {
    guard type < typesEnd,
      let next = cursor.skip(bytes.span, type: type, at: position, end: end, depth: depth),
      let typeAfter = endOfNextType
    else { throw nextType == nil ? .invalidArguments("a value is missing") : malformed }
    position = next
    type = typeAfter
  }

  /// Reads an array: calls `body` once for each element, the reader at its value; what `body`
  /// leaves unread is passed over.
  public mutating func readArray(
    _ body: (inout MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    try expect(.array)
    let start = position.aligned(to: 4)
    guard let elements = cursor.array(bytes.span, type: type, at: start),
      elements.upperBound <= end,
      let typesEnd = endOfElementType
    else { throw malformed }
    var element = try entered()
    element.position = elements.lowerBound
    element.end = elements.upperBound
    element.typesEnd = typesEnd
    while element.position < elements.upperBound {
      element.type = type + 1
      try element.readAll(body)
    }
    position = elements.upperBound
    type = typesEnd
  }

  /// Whether the next value is an array of dictionary entries.
  public var isAtDictionary: Bool {
    nextType == .array && type + 1 < typesEnd
      && bytes[type + 1] == TypeCode.dictionaryEntry.rawValue
  }

  /// Reads a dictionary: calls `body` once for each entry, the reader at its key.
  public mutating func readEntries(
    _ body: (inout MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    guard isAtDictionary else {
      throw .invalidArguments("'\(nextSignature)' where a dictionary belongs")
    }
    try readArray { element throws(BusError) in
      try element.readMembers(body)
    }
  }

  /// Reads a dictionary whose keys are texts: calls `body` once for each entry, with the key and
  /// the reader at the value.
  public mutating func readDictionary(
    _ body: (String, inout MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    try readEntries { entry throws(BusError) in
      let key = try entry.readString()
      try body(key, &entry)
    }
  }

  /// Reads a structure: calls `body` with the reader at its first member.
  public mutating func readStructure(
    _ body: (inout MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    try expect(.structure)
    try readMembers(body)
  }

  /// Reads a variant: calls `body` with the reader at the value in it.
  public mutating func readVariant(
    _ body: (inout MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    try expect(.variant)
    guard let types = cursor.variant(bytes.span, at: position, end: end) else {
      throw malformed
    }
    var content = try entered()
    content.position = types.upperBound + 1
    content.type = types.lowerBound
    content.typesEnd = types.upperBound
    try content.readAll(body)
    position = content.position
    type += 1
  }

  private mutating func readMembers(
    _ body: (inout MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    guard let nextType = endOfNextType else { throw malformed }
    var members = try entered()
    members.position = position.aligned(to: 8)
    members.type = type + 1
    members.typesEnd = nextType - 1
    try members.readAll(body)
    position = members.position
    type = nextType
  }

  /// Lets `body` read, and passes over what it leaves.
  private mutating func readAll(
    _ body: (inout MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    let start = self
    try body(&self)
    // The closure may have put another reader, or an older copy, in place of this one.
    guard message === start.message, position >= start.position, end == start.end,
      typesEnd == start.typesEnd, depth == start.depth
    else { throw malformed }
    while type < typesEnd { try skipValue() }
    guard position > start.position else { throw malformed }
  }

  private func entered() throws(BusError) -> MessageReader {
    guard depth < MessageWriter.maximumDepth else { throw malformed }
    var inner = self
    inner.depth += 1
    return inner
  }

  private var endOfNextType: Int? {
    if bytes[type] != TypeCode.dictionaryEntry.rawValue {
      return SignatureGrammar.endOfType(bytes.span, from: type)
    }
    // An entry is no type of its own, but with the array before it.
    return type > 0 ? SignatureGrammar.endOfType(bytes.span, from: type - 1) : nil
  }

  private var endOfElementType: Int? {
    SignatureGrammar.endOfType(bytes.span, from: type)
  }
}

// SPDX-License-Identifier: MIT
internal import CDBus

/// Reads the values of a message's body one after another, by libdbus's iterator.
///
/// Reading is total: asking for a type other than the next value's throws. File descriptors can only
/// be skipped.
@safe
public struct MessageReader {
  private let message: Message
  private var iterator = unsafe DBusMessageIter()
  /// The type of the next value; nil when there is none.
  public private(set) var nextType: TypeCode?
  /// Whether only one value is to be read, as of an array, whose iterator would go on.
  private var isElement = false

  init(_ message: Message) {
    self.message = message
    _ = unsafe dbus_message_iter_init(message.raw, &iterator)
    findType()
  }

  private mutating func findType() {
    nextType = unsafe Self.type(dbus_message_iter_get_arg_type(&iterator))
  }

  /// A type as iterators tell it: `r` and `e` stand for the containers whose code is a bracket.
  private static func type(_ code: CInt) -> TypeCode? {
    switch UInt8(truncatingIfNeeded: code) {
    case UInt8(ascii: "r"): .structure
    case UInt8(ascii: "e"): .dictionaryEntry
    case let code: TypeCode(rawValue: code)
    }
  }

  private mutating func advance() {
    if isElement {
      nextType = nil
    } else {
      _ = unsafe dbus_message_iter_next(&iterator)
      findType()
    }
  }

  /// The signature of the next value; empty when there is none.
  var nextSignature: Signature {
    guard nextType != nil else { return .empty }
    var iterator = unsafe iterator
    guard let text = unsafe dbus_message_iter_get_signature(&iterator) else { return .empty }
    defer { unsafe dbus_free(text) }
    return Signature(validated: unsafe String(cString: text), isSingle: true)
  }

  // MARK: Basic values

  /// Reads a number, type `y`.
  ///
  /// - Throws: ``BusError`` `InvalidArgs` where the next value has another type, as all that follow.
  public mutating func readByte() throws(BusError) -> UInt8 { try readNumber(.byte) }

  /// Reads a truth value, type `b`.
  public mutating func readBoolean() throws(BusError) -> Bool {
    let number: UInt32 = try readNumber(.boolean)
    return number != 0
  }

  /// Reads a number, type `n`.
  public mutating func readInt16() throws(BusError) -> Int16 { try readNumber(.int16) }

  /// Reads a number, type `q`.
  public mutating func readUInt16() throws(BusError) -> UInt16 { try readNumber(.uint16) }

  /// Reads a number, type `i`.
  public mutating func readInt32() throws(BusError) -> Int32 { try readNumber(.int32) }

  /// Reads a number, type `u`.
  public mutating func readUInt32() throws(BusError) -> UInt32 { try readNumber(.uint32) }

  /// Reads a number, type `x`.
  public mutating func readInt64() throws(BusError) -> Int64 { try readNumber(.int64) }

  /// Reads a number, type `t`.
  public mutating func readUInt64() throws(BusError) -> UInt64 { try readNumber(.uint64) }

  /// Reads a number, type `d`.
  public mutating func readDouble() throws(BusError) -> Double {
    let pattern: UInt64 = try readNumber(.double)
    return Double(bitPattern: pattern)
  }

  /// Reads a text, type `s`.
  public mutating func readString() throws(BusError) -> String { try readText(.string) }

  /// Reads a path, type `o`.
  public mutating func readObjectPath() throws(BusError) -> ObjectPath {
    ObjectPath(validated: try readText(.objectPath))
  }

  /// Reads a signature, type `g`.
  public mutating func readSignature() throws(BusError) -> Signature {
    guard let signature = Signature(try readText(.signature)) else {
      throw .inconsistentMessage("not a signature")
    }
    return signature
  }

  private mutating func readNumber<Number: FixedWidthInteger & BitwiseCopyable>(
    _ code: TypeCode
  ) throws(BusError) -> Number {
    try expect(code)
    var number: Number = 0
    unsafe dbus_message_iter_get_basic(&iterator, &number)
    advance()
    return number
  }

  private mutating func readText(_ code: TypeCode) throws(BusError) -> String {
    try expect(code)
    var text: UnsafePointer<CChar>?
    unsafe dbus_message_iter_get_basic(&iterator, &text)
    let copy = unsafe text.map { unsafe String(cString: $0) } ?? ""
    advance()
    return copy
  }

  @inline(__always)
  private func expect(_ code: TypeCode) throws(BusError) {
    guard nextType == code else { throw mismatch(code) }
  }

  @inline(never)
  private func mismatch(_ code: TypeCode) -> BusError {
    guard let found = nextType else {
      return .invalidArguments("a value of type '\(code)' is missing")
    }
    return .invalidArguments("a value of type '\(found)' where '\(code)' belongs")
  }

  // MARK: Containers

  /// Moves past the next value, whatever it is.
  public mutating func skipValue() throws(BusError) {
    guard nextType != nil else { throw .invalidArguments("a value is missing") }
    advance()
  }

  /// Reads an array: calls `body` once for each element, with a reader at its value.
  ///
  /// What `body` leaves unread is skipped, here as in all containers.
  public mutating func readArray(
    _ body: (inout MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    try expect(.array)
    var elements = recursed()
    while elements.nextType != nil {
      var element = elements
      element.isElement = true
      try body(&element)
      elements.advance()
    }
    advance()
  }

  /// Whether the next value is an array of dictionary entries.
  var isAtDictionary: Bool {
    guard nextType == .array else { return false }
    var iterator = unsafe iterator
    return unsafe Self.type(dbus_message_iter_get_element_type(&iterator)) == .dictionaryEntry
  }

  /// Reads a dictionary: calls `body` once for each entry, with a reader at its key.
  public mutating func readEntries(
    _ body: (inout MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    guard isAtDictionary else {
      throw .invalidArguments("'\(nextSignature)' where a dictionary belongs")
    }
    var entries = recursed()
    while entries.nextType != nil {
      var entry = entries.recursed()
      try body(&entry)
      entries.advance()
    }
    advance()
  }

  /// Reads a dictionary whose keys are texts: calls `body` once for each entry, with the key and a
  /// reader at the value.
  public mutating func readDictionary(
    _ body: (String, inout MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    try readEntries { entry throws(BusError) in
      let key = try entry.readString()
      try body(key, &entry)
    }
  }

  /// Reads a structure: calls `body` with a reader at its first member.
  public mutating func readStructure(
    _ body: (inout MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    try readContent(of: .structure, body)
  }

  /// Reads a variant: calls `body` with a reader at the value in it.
  public mutating func readVariant(
    _ body: (inout MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    try readContent(of: .variant, body)
  }

  private mutating func readContent(
    of code: TypeCode,
    _ body: (inout MessageReader) throws(BusError) -> Void
  ) throws(BusError) {
    try expect(code)
    var content = recursed()
    try body(&content)
    advance()
  }

  /// A reader at the first value in the next one, a container.
  private mutating func recursed() -> MessageReader {
    var inner = self
    inner.isElement = false
    unsafe dbus_message_iter_recurse(&iterator, &inner.iterator)
    inner.findType()
    return inner
  }

  // MARK: Whole values

  /// Reads the value in a variant, of at most so many parts.
  ///
  /// - Throws: As ``readValue()`` does.
  public mutating func readVariant(
    parts: Int = ConnectionLimits.valueParts
  ) throws(BusError) -> Value {
    var budget = PartBudget(limit: parts)
    return try readVariant(&budget)
  }

  /// Reads the next value, whatever its type.
  ///
  /// - Throws: ``BusError`` `InvalidArgs` where there is none, and `LimitsExceeded` for one of more
  ///   than ``ConnectionLimits/valueParts`` parts: in memory each takes many times its size in the
  ///   message.
  public mutating func readValue() throws(BusError) -> Value {
    var budget = PartBudget(limit: ConnectionLimits.valueParts)
    return try readValue(&budget)
  }

  private mutating func readVariant(_ budget: inout PartBudget) throws(BusError) -> Value {
    try expect(.variant)
    var content = recursed()
    let value = try content.readValue(&budget)
    advance()
    return value
  }

  private mutating func readValue(_ budget: inout PartBudget) throws(BusError) -> Value {
    guard let code = nextType else { throw .invalidArguments("a value is missing") }
    try budget.spend()
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
    case .unixDescriptor:
      // Reading it would duplicate the descriptor.
      advance()
      return .unixDescriptor
    case .variant: return .variant(try readVariant(&budget))
    case .structure: return .structure(try readMembers(&budget))
    case .array: return try readArrayValue(&budget)
    case .dictionaryEntry: throw .invalidArguments("an entry outside a dictionary")
    }
  }

  private mutating func readMembers(_ budget: inout PartBudget) throws(BusError) -> [Value] {
    var content = recursed()
    var members: [Value] = []
    while content.nextType != nil { members.append(try content.readValue(&budget)) }
    advance()
    return members
  }

  private mutating func readArrayValue(_ budget: inout PartBudget) throws(BusError) -> Value {
    let types = nextSignature.rawValue.utf8.dropFirst()
    if isAtDictionary, let key = types.dropFirst().first.flatMap({ TypeCode(rawValue: $0) }) {
      var entries: [DictionaryEntry] = []
      try readEntries { entry throws(BusError) in
        let key = try entry.readValue(&budget)
        entries.append(DictionaryEntry(key: key, value: try entry.readValue(&budget)))
      }
      let value = String(Substring(types.dropFirst(2).dropLast()))
      return .dictionary(key: key, value: Signature(validated: value, isSingle: true), entries)
    }
    var values: [Value] = []
    try readArray { element throws(BusError) in values.append(try element.readValue(&budget)) }
    return .array(Signature(validated: String(Substring(types)), isSingle: true), values)
  }
}

/// How many parts of a value may still be read.
private struct PartBudget {
  private let limit: Int
  private var left: Int

  init(limit: Int) {
    self.limit = limit
    left = limit
  }

  mutating func spend() throws(BusError) {
    guard left > 0 else {
      throw .limitsExceeded("a value of more than \(limit) parts, such as elements of arrays")
    }
    left -= 1
  }
}

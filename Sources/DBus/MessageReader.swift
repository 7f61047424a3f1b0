// SPDX-License-Identifier: MIT

/// Reads the values of a message's body one after another.
///
/// Reading is total: a value of another type than asked for, or bytes that are not what the
/// signature says, throw.
public struct MessageReader {
  let message: Message
  /// The message's bytes.
  let bytes: [UInt8]
  /// Where the next value lies, before its padding.
  var position: Int
  /// Where the values end.
  var end: Int
  /// Where the next value's type lies in the message's bytes.
  var type: Int
  /// Where the types end.
  var typesEnd: Int
  /// How many containers the reader is in.
  var depth = 0

  init(_ message: Message) {
    self.message = message
    bytes = message.bytes
    position = message.bodyStart
    end = bytes.count
    type = message.fields.signature.lowerBound
    typesEnd = message.fields.signature.upperBound
  }

  var cursor: ByteCursor { ByteCursor(isSwapped: message.isSwapped) }

  /// The type of the next value; nil when there is none.
  public var nextType: TypeCode? {
    type < typesEnd ? TypeCode(rawValue: bytes[type]) : nil
  }

  /// The signature of the next value; empty when there is none.
  public var nextSignature: Signature {
    guard type < typesEnd, let end = SignatureGrammar.endOfType(bytes.span, from: type)
    else { return .empty }
    return signature(type..<end)
  }

  /// Reads a number, type `y`.
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
  public mutating func readString() throws(BusError) -> String {
    let range = try readText(.string)
    return String(decoding: bytes[range], as: UTF8.self)
  }

  /// Reads a path, type `o`.
  public mutating func readObjectPath() throws(BusError) -> ObjectPath {
    let range = try readText(.objectPath)
    let path = ObjectPath(String(decoding: bytes[range], as: UTF8.self))
    guard let path else { throw malformed }
    return path
  }

  /// Reads a signature, type `g`.
  public mutating func readSignature() throws(BusError) -> Signature {
    try expect(.signature)
    let range = cursor.signature(bytes.span, at: position, end: end)
    guard let range, let signature = Signature(String(decoding: bytes[range], as: UTF8.self))
    else { throw malformed }
    position = range.upperBound + 1
    type += 1
    return signature
  }

  /// Reads a descriptor, type `h`, that came along.
  public mutating func readUnixDescriptor() throws(BusError) -> UnixDescriptor {
    let index = try readDescriptorIndex()
    guard Int(index) < message.descriptors.count else { throw malformed }
    return message.descriptors[Int(index)]
  }

  /// Reads the place of a descriptor among those that came along.
  mutating func readDescriptorIndex() throws(BusError) -> UInt32 {
    try readNumber(.unixDescriptor)
  }

  private mutating func readNumber<Number: FixedWidthInteger & BitwiseCopyable>(
    _ code: TypeCode
  ) throws(BusError) -> Number {
    try expect(code)
    let start = position.aligned(to: MemoryLayout<Number>.size)
    let next = start + MemoryLayout<Number>.size
    guard next <= end,
      let number = cursor.number(bytes.span, at: start, as: Number.self)
    else { throw malformed }
    position = next
    type += 1
    return number
  }

  private mutating func readText(_ code: TypeCode) throws(BusError) -> Range<Int> {
    try expect(code)
    let range = cursor.text(bytes.span, at: position.aligned(to: 4), end: end)
    guard let range else { throw malformed }
    position = range.upperBound + 1
    type += 1
    return range
  }

  @inline(__always)
  func expect(_ code: TypeCode) throws(BusError) {
    guard type < typesEnd, bytes[type] == code.rawValue else { throw mismatch(code) }
  }

  @inline(never)
  private func mismatch(_ code: TypeCode) -> BusError {
    guard let found = nextType else {
      return .invalidArguments("a value of type '\(code)' is missing")
    }
    return .invalidArguments("a value of type '\(found)' where '\(code)' belongs")
  }

  var malformed: BusError { .inconsistentMessage("the body is not what its signature says") }

  /// The signature at a range of the bytes, known to be one complete type.
  func signature(_ range: Range<Int>) -> Signature {
    let text = String(decoding: bytes[range], as: UTF8.self)
    return Signature(validated: text, completeTypeCount: 1)
  }
}

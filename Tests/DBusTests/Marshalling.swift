// SPDX-License-Identifier: MIT
import CDBus
import TestSupport

@testable import DBus

/// What tests of messages share.
enum Marshalling {
  /// A signal with a body, as bytes.
  static func message(_ body: (inout MessageWriter) -> Void) throws -> [UInt8] {
    var writer = MessageWriter()
    body(&writer)
    var header = MessageHeader(type: .signal, serial: 7)
    header.path = ObjectPath(constant: "/a/b")
    header.interface = InterfaceName(constant: "a.b")
    header.member = MemberName(constant: "M")
    return try writer.makeMessage(header).message.marshalled()
  }

  /// Whether libdbus takes the bytes for a message, and one of the same signature.
  static func libdbusAccepts(_ bytes: [UInt8], signature: String? = nil) -> Bool {
    guard let message = try? Message.demarshal(bytes) else { return false }
    return signature.map { $0 == message.signature } ?? true
  }
}

extension Message {
  /// A message without a body.
  static func empty(_ header: MessageHeader) throws -> Message {
    var writer = MessageWriter()
    return try writer.makeMessage(header).message
  }

  /// The message as it travels.
  func marshalled() -> [UInt8] {
    var start: UnsafeMutablePointer<CChar>?
    var count: CInt = 0
    guard unsafe dbus_message_marshal(raw, &start, &count) != 0 else { return [] }
    defer { unsafe dbus_free(start) }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }
}

extension MessageWriter {
  /// Writes an array of bytes, type `ay`.
  mutating func append(bytes: [UInt8]) {
    append(.array(Signature(.byte), bytes.map { .byte($0) }))
  }
}

extension MessageReader {
  /// Reads an array of bytes, type `ay`.
  mutating func readBytes() throws(BusError) -> [UInt8] {
    var bytes: [UInt8] = []
    try readArray { element throws(BusError) in bytes.append(try element.readByte()) }
    return bytes
  }
}

/// Marshals as a machine of the other byte order does; knows what one test needs.
struct ForeignOrderWriter {
  private(set) var bytes: [UInt8] = []

  #if _endian(little)
    static let byteOrder = UInt8(ascii: "B")
  #else
    static let byteOrder = UInt8(ascii: "l")
  #endif

  mutating func align(_ boundary: Int) {
    while bytes.count % boundary != 0 { bytes.append(0) }
  }

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    align(MemoryLayout<Number>.size)
    let swapped = number.byteSwapped
    for index in 0..<MemoryLayout<Number>.size {
      bytes.append(UInt8(truncatingIfNeeded: swapped >> (8 * index)))
    }
  }

  mutating func append(_ text: String) {
    append(UInt32(text.utf8.count))
    bytes += Array(text.utf8) + [0]
  }

  mutating func append(signature: String) {
    append(UInt8(signature.utf8.count))
    bytes += Array(signature.utf8) + [0]
  }

  /// A signal with a body.
  static func message(_ signature: String, _ body: (inout ForeignOrderWriter) -> Void) -> [UInt8] {
    var content = ForeignOrderWriter()
    body(&content)
    var message = ForeignOrderWriter()
    message.bytes = [byteOrder, 4, 1, 1]
    message.append(UInt32(content.bytes.count))
    message.append(7 as UInt32)
    message.append(0 as UInt32)
    for (code, type, text) in [(1, "o", "/a"), (2, "s", "a.b"), (3, "s", "Member")] {
      message.align(8)
      message.append(UInt8(code))
      message.append(signature: type)
      message.append(text)
    }
    message.align(8)
    message.append(8 as UInt8)
    message.append(signature: "g")
    message.append(signature: signature)
    let length = UInt32(message.bytes.count - 16)
    message.align(8)
    for index in 0..<4 {
      message.bytes[12 + index] = UInt8(truncatingIfNeeded: length.byteSwapped >> (8 * index))
    }
    return message.bytes + content.bytes
  }
}

extension SeededGenerator {
  static let basicCodes = TypeCode.allCases.filter { $0.isBasic && $0 != .unixDescriptor }

  /// One complete type.
  mutating func type(depth: Int) -> Signature {
    switch depth > 0 ? Int.random(in: 0..<10, using: &self) : 0 {
    case 5, 6: return Signature("a" + type(depth: depth - 1).rawValue) ?? .string
    case 7: return Signature("a{\(basicCode())\(type(depth: depth - 1))}") ?? .string
    case 8:
      let members = (0..<Int.random(in: 1...4, using: &self)).map { _ in type(depth: depth - 1) }
      return Signature("(" + members.map { $0.rawValue }.joined() + ")") ?? .string
    case 9: return .variant
    default: return Signature(basicCode())
    }
  }

  mutating func basicCode() -> TypeCode { Self.basicCodes.randomElement(using: &self) ?? .byte }

  /// A value of a type.
  mutating func value(of type: Signature, depth: Int) -> Value {
    let text = type.rawValue
    switch text.utf8.first.flatMap({ TypeCode(rawValue: $0) }) {
    case .byte: return .byte(.random(in: .min ... .max, using: &self))
    case .boolean: return .boolean(.random(using: &self))
    case .int16: return .int16(.random(in: .min ... .max, using: &self))
    case .uint16: return .uint16(.random(in: .min ... .max, using: &self))
    case .int32: return .int32(.random(in: .min ... .max, using: &self))
    case .uint32: return .uint32(.random(in: .min ... .max, using: &self))
    case .int64: return .int64(.random(in: .min ... .max, using: &self))
    case .uint64: return .uint64(.random(in: .min ... .max, using: &self))
    case .double: return .double(.random(in: -1e9...1e9, using: &self))
    case .objectPath: return .objectPath(path())
    case .signature: return .signature(self.type(depth: 3))
    case .variant: return .variant(value(of: self.type(depth: depth - 1), depth: depth - 1))
    case .structure:
      let members = Signature(String(text.dropFirst().dropLast()))?.completeTypes ?? []
      return .structure(members.map { value(of: $0, depth: depth - 1) })
    case .array: return array(of: text.dropFirst(), depth: depth - 1)
    default: return .string(self.text(of: Array("aé\n\u{1f600}\"'"), length: 20))
    }
  }

  private mutating func path() -> ObjectPath {
    var path = ObjectPath.root
    for _ in 0..<Int.random(in: 0...4, using: &self) { path = path.appending("a_9") ?? path }
    return path
  }

  private mutating func array(of element: Substring, depth: Int) -> Value {
    let count = Int.random(in: 0...3, using: &self)
    guard element.first == "{", let key = element.dropFirst().utf8.first.flatMap(TypeCode.init)
    else {
      let type = Signature(String(element)) ?? .string
      return .array(type, (0..<count).map { _ in value(of: type, depth: depth) })
    }
    let type = Signature(String(element.dropFirst(2).dropLast())) ?? .string
    let entries = (0..<count).map { _ in
      DictionaryEntry(
        key: value(of: Signature(key), depth: 0),
        value: value(of: type, depth: depth)
      )
    }
    return .dictionary(key: key, value: type, entries)
  }
}

extension SeededGenerator {
  /// A text of up to `length` of the given characters.
  mutating func text(of characters: [Character], length: Int) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...length, using: &self) {
      if let character = characters.randomElement(using: &self) { text.append(character) }
    }
    return text
  }
}

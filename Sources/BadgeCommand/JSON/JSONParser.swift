// SPDX-License-Identifier: MIT

/// A parsed JSON value; objects keep the order of their members.
indirect enum JSONValue: Equatable {
  case null
  case boolean(Bool)
  /// A number without fraction or exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number, and how it was written.
  case number(Double, text: String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// One name and its value.
  struct Member: Equatable {
    var name: String
    var value: JSONValue
  }

  /// The type, for error messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The value as it was written, without quotation marks; nil for arrays and objects.
  var text: String? {
    switch self {
    case .null: "null"
    case .boolean(let value): String(value)
    case .integer(let value): String(value)
    case .number(_, let text), .string(let text): text
    case .array, .object: nil
    }
  }
}

/// Why a text is not JSON, and where.
struct JSONError: Error, Equatable, CustomStringConvertible {
  var line: Int
  var column: Int
  var problem: String

  var description: String { "line \(line), column \(column): \(problem)" }
}

/// A strict parser of JSON (RFC 8259): no comments, no trailing commas, no name twice in an
/// object, nothing after the value, and a depth that cannot exhaust the stack.
struct JSONParser {
  /// Values deeper than this are refused.
  static let maximumDepth = 32

  private let bytes: [UInt8]
  private var position = 0

  /// Parses a whole document.
  static func parse(_ text: String) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes: Array(text.utf8))
    parser.skipSpace()
    let value = try parser.parseValue(depth: 0)
    parser.skipSpace()
    guard parser.position == parser.bytes.count else {
      throw parser.failure("nothing may follow the value")
    }
    return value
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func failure(_ problem: String) -> JSONError {
    let before = bytes[..<min(position, bytes.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Continuation bytes are not columns.
    let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    return JSONError(line: line, column: column, problem: problem)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func parseValue(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < Self.maximumDepth else { throw failure("too deeply nested") }
    switch next {
    case UInt8(ascii: "{"): return try parseObject(depth: depth)
    case UInt8(ascii: "["): return try parseArray(depth: depth)
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .boolean(true))
    case UInt8(ascii: "f"): return try parseWord("false", .boolean(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    case .some(let byte) where byte == UInt8(ascii: "-") || isDigit(byte): return try parseNumber()
    case nil: throw failure("a value is missing")
    default: throw failure("no value begins like this")
    }
  }

  private mutating func parseWord(_ word: String, _ value: JSONValue) throws(JSONError)
    -> JSONValue
  {
    guard bytes[position...].starts(with: word.utf8) else {
      throw failure("no value begins like this")
    }
    position += word.utf8.count
    return value
  }

  private mutating func parseObject(depth: Int) throws(JSONError) -> JSONValue {
    position += 1
    var members: [JSONValue.Member] = []
    var names: Set<[UInt8]> = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("a name in quotes is missing") }
      let start = position
      let name = try parseString()
      guard names.insert(Array(name.utf8)).inserted else {
        position = start
        throw failure("name given twice: \(quoted(name))")
      }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw failure("':' is missing") }
      skipSpace()
      members.append(.init(name: name, value: try parseValue(depth: depth + 1)))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw failure("',' or '}' is missing") }
    return .object(members)
  }

  private mutating func parseArray(depth: Int) throws(JSONError) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      skipSpace()
      elements.append(try parseValue(depth: depth + 1))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw failure("',' or ']' is missing") }
    return .array(elements)
  }

  private mutating func parseString() throws(JSONError) -> String {
    position += 1
    var content: [UInt8] = []
    while true {
      switch next {
      case nil: throw failure("the string has no end")
      case UInt8(ascii: "\""):
        position += 1
        // Always valid: the document was a String, and escapes add whole characters.
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        content += Array(String(try parseEscape()).utf8)
      case .some(let byte) where byte < 0x20:
        throw failure("control characters must be escaped")
      case .some(let byte):
        content.append(byte)
        position += 1
      }
    }
  }

  private mutating func parseEscape() throws(JSONError) -> Unicode.Scalar {
    position += 1
    defer { position += 1 }
    switch next {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try parseHexadecimal()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      guard unit < 0xDC00, position + 2 < bytes.count, bytes[position + 1] == UInt8(ascii: "\\"),
        bytes[position + 2] == UInt8(ascii: "u")
      else { throw failure("half a surrogate pair") }
      position += 2
      let low = try parseHexadecimal()
      guard (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x1_0000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      else { throw failure("half a surrogate pair") }
      return scalar
    default: throw failure("unknown escape")
    }
  }

  /// Reads four digits after the `u`, and stops on the last.
  private mutating func parseHexadecimal() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      position += 1
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("four hexadecimal digits are missing")
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private mutating func parseNumber() throws(JSONError) -> JSONValue {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try skipDigits() }
    var isWhole = true
    if take(UInt8(ascii: ".")) {
      isWhole = false
      try skipDigits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
      try skipDigits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else {
      throw failure("number out of range: \(quoted(text))")
    }
    return .number(number, text: text)
  }

  private mutating func skipDigits() throws(JSONError) {
    guard let first = next, isDigit(first) else { throw failure("a digit is missing") }
    while let byte = next, isDigit(byte) { position += 1 }
  }
}

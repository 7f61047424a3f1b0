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

  /// What a person would call this kind of value.
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

  /// The value as it was written, a string without its quotation marks; nil for what has parts.
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

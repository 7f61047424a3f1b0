// SPDX-License-Identifier: MIT

/// The first byte of a complete type in a signature.
///
/// Source: D-Bus specification, "Type System".
public enum TypeCode: UInt8, Hashable, Sendable, CaseIterable {
  /// `y`, an unsigned integer of 8 bits.
  case byte = 0x79
  /// `b`.
  case boolean = 0x62
  /// `n`.
  case int16 = 0x6e
  /// `q`.
  case uint16 = 0x71
  /// `i`.
  case int32 = 0x69
  /// `u`.
  case uint32 = 0x75
  /// `x`.
  case int64 = 0x78
  /// `t`.
  case uint64 = 0x74
  /// `d`, IEEE 754.
  case double = 0x64
  /// `s`, UTF-8 without NUL.
  case string = 0x73
  /// `o`.
  case objectPath = 0x6f
  /// `g`.
  case signature = 0x67
  /// `h`, a file descriptor sent along with the message.
  case unixDescriptor = 0x68
  /// `a`, followed by the type of an element.
  case array = 0x61
  /// `v`, a value that carries its own signature.
  case variant = 0x76
  /// `(`, up to its `)`.
  case structure = 0x28
  /// `{`, a key and a value, only as the element of an array.
  case dictionaryEntry = 0x7b

  /// Whether a value of this type may be the key of a dictionary.
  public var isBasic: Bool {
    switch self {
    case .array, .variant, .structure, .dictionaryEntry: false
    default: true
    }
  }

  /// The boundary, in bytes, on which a value of this type starts.
  var alignment: Int {
    switch self {
    case .byte, .signature, .variant: 1
    case .int16, .uint16: 2
    case .boolean, .int32, .uint32, .string, .objectPath, .unixDescriptor, .array: 4
    case .int64, .uint64, .double, .structure, .dictionaryEntry: 8
    }
  }

  /// The number of bytes of a value, where all values of this type have the same.
  var fixedSize: Int? {
    switch self {
    case .byte: 1
    case .int16, .uint16: 2
    case .boolean, .int32, .uint32, .unixDescriptor: 4
    case .int64, .uint64, .double: 8
    default: nil
    }
  }
}

extension TypeCode: CustomStringConvertible {
  /// The code as a letter.
  public var description: String { String(UnicodeScalar(rawValue)) }
}

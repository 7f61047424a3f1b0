// SPDX-License-Identifier: MIT
internal import CDBus

/// The types of zero or more values, such as `sa{sv}`.
///
/// libdbus says what is valid: at most 255 bytes, arrays and structures each at most 32 deep.
public struct Signature: Hashable, Sendable, CustomStringConvertible {
  /// The signature as text, always valid.
  public let rawValue: String
  /// Whether this is the signature of exactly one value.
  public let isSingleCompleteType: Bool

  /// No values at all.
  public static let empty = Signature(validated: "", isSingle: false)
  /// `s`.
  public static let string = Signature(.string)
  /// `v`.
  public static let variant = Signature(.variant)
  /// `a{sv}`, a dictionary of named values.
  public static let namedValues = Signature(validated: "a{sv}", isSingle: true)

  /// Containers may be nested this deep in a signature, arrays and structures each.
  static let maximumNesting = 32

  /// Checks a text from anywhere; nil where it is not a signature.
  public init?(_ rawValue: String) {
    guard unsafe rawValue.isValid(by: { unsafe dbus_signature_validate($0, nil) }) else {
      return nil
    }
    self.rawValue = rawValue
    isSingleCompleteType = unsafe rawValue.isValid {
      unsafe dbus_signature_validate_single($0, nil)
    }
  }

  /// A literal of the program's own.
  ///
  /// - Precondition: The literal is valid.
  public init(constant: StaticString) {
    let signature = Signature(String(describing: constant))
    precondition(signature != nil, "not a signature")
    self = signature ?? .empty
  }

  /// The signature of one value of a basic type or of a variant; empty for other containers, whose
  /// code alone is no signature.
  public init(_ code: TypeCode) {
    let isWhole = code.isBasic || code == .variant
    self.init(validated: isWhole ? code.description : "", isSingle: isWhole)
  }

  /// A text that libdbus has validated already, as part of a message or of another signature.
  init(validated rawValue: String, isSingle: Bool) {
    self.rawValue = rawValue
    isSingleCompleteType = isSingle
  }

  /// The signatures of the values one by one.
  ///
  /// The corresponding C function is `dbus_signature_iter_next`.
  public var completeTypes: [Signature] {
    guard !rawValue.isEmpty else { return [] }
    return unsafe rawValue.withCString { text in
      var types: [Signature] = []
      var iterator = unsafe DBusSignatureIter()
      unsafe dbus_signature_iter_init(&iterator, text)
      repeat {
        guard let type = unsafe dbus_signature_iter_get_signature(&iterator) else { break }
        types.append(Signature(validated: unsafe String(cString: type), isSingle: true))
        unsafe dbus_free(type)
      } while unsafe dbus_signature_iter_next(&iterator) != 0
      return types
    }
  }

  /// The signature as text.
  public var description: String { rawValue }
}

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
  /// `h`, a file descriptor passed along with the message.
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
}

extension TypeCode: CustomStringConvertible {
  /// The code as a letter.
  public var description: String { String(UnicodeScalar(rawValue)) }
}

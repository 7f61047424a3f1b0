// SPDX-License-Identifier: MIT

/// A value of any D-Bus type.
public enum Value: Hashable, Sendable {
  /// `y`.
  case byte(UInt8)
  /// `b`.
  case boolean(Bool)
  /// `n`.
  case int16(Int16)
  /// `q`.
  case uint16(UInt16)
  /// `i`.
  case int32(Int32)
  /// `u`.
  case uint32(UInt32)
  /// `x`.
  case int64(Int64)
  /// `t`.
  case uint64(UInt64)
  /// `d`.
  case double(Double)
  /// `s`; a text with a NUL in it cannot be sent.
  case string(String)
  /// `o`.
  case objectPath(ObjectPath)
  /// `g`.
  case signature(Signature)
  /// `h`; stands for a descriptor that a peer passed along, is never read and cannot be sent.
  case unixDescriptor
  /// `a`: the signature of an element, so that an empty array keeps its type, and the elements.
  case array(Signature, [Value])
  /// `a{}`: the types of keys and values, and the entries in the order they travel.
  case dictionary(key: TypeCode, value: Signature, [DictionaryEntry])
  /// `()`, of at least one member.
  case structure([Value])
  /// `v`.
  indirect case variant(Value)
}

/// A key and its value in a ``Value/dictionary(key:value:_:)``.
public struct DictionaryEntry: Hashable, Sendable {
  /// The key, of a basic type.
  public var key: Value
  /// The value.
  public var value: Value

  /// A key and its value.
  public init(key: Value, value: Value) {
    self.key = key
    self.value = value
  }
}

extension Value {
  /// The first code of the value's signature.
  public var typeCode: TypeCode {
    switch self {
    case .byte: .byte
    case .boolean: .boolean
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .string: .string
    case .objectPath: .objectPath
    case .signature: .signature
    case .unixDescriptor: .unixDescriptor
    case .array, .dictionary: .array
    case .structure: .structure
    case .variant: .variant
    }
  }

  /// The signature of the value; nil where there is none, as for a structure without members, an
  /// array whose element is not one complete type, or a nesting deeper than D-Bus allows.
  public var signature: Signature? {
    guard typeCode == .array || typeCode == .structure else { return Signature(typeCode) }
    return signatureText(nesting: 0).flatMap { Signature($0) }
  }

  private func signatureText(nesting: Int) -> String? {
    // The nesting is checked on the way, so that a hostile value is not walked to its end.
    switch self {
    case .array(let element, _):
      return element.isSingleCompleteType ? "a" + element.rawValue : nil
    case .dictionary(let key, let value, _):
      return value.isSingleCompleteType ? "a{\(key)\(value)}" : nil
    case .structure(let members):
      var text = "("
      for member in members {
        guard nesting < Signature.maximumNesting,
          let part = member.signatureText(nesting: nesting + 1),
          text.utf8.count < 256
        else { return nil }
        text += part
      }
      return text + ")"
    default:
      return typeCode.description
    }
  }

  /// A dictionary of named values, `a{sv}`.
  public static func namedValues(_ entries: [(String, Value)]) -> Value {
    .dictionary(
      key: .string,
      value: .variant,
      entries.map { DictionaryEntry(key: .string($0.0), value: .variant($0.1)) }
    )
  }
}

/// A value of a basic type, whose type is all that its signature says.
public protocol BasicValue {
  /// The value as one of any type.
  var basicValue: Value { get }
}

extension String: BasicValue {
  /// The value, type `s`.
  public var basicValue: Value { .string(self) }
}

extension Bool: BasicValue {
  /// The value, type `b`.
  public var basicValue: Value { .boolean(self) }
}

extension UInt8: BasicValue {
  /// The value, type `y`.
  public var basicValue: Value { .byte(self) }
}

extension Int16: BasicValue {
  /// The value, type `n`.
  public var basicValue: Value { .int16(self) }
}

extension UInt16: BasicValue {
  /// The value, type `q`.
  public var basicValue: Value { .uint16(self) }
}

extension Int32: BasicValue {
  /// The value, type `i`.
  public var basicValue: Value { .int32(self) }
}

extension UInt32: BasicValue {
  /// The value, type `u`.
  public var basicValue: Value { .uint32(self) }
}

extension Int64: BasicValue {
  /// The value, type `x`.
  public var basicValue: Value { .int64(self) }
}

extension UInt64: BasicValue {
  /// The value, type `t`.
  public var basicValue: Value { .uint64(self) }
}

extension Double: BasicValue {
  /// The value, type `d`.
  public var basicValue: Value { .double(self) }
}

extension Signature: BasicValue {
  /// The value, type `g`.
  public var basicValue: Value { .signature(self) }
}

extension DBusName: BasicValue where Rule == ObjectPathRule {
  /// The path, type `o`.
  public var basicValue: Value { .objectPath(self) }
}

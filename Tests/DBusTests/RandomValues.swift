// SPDX-License-Identifier: MIT
import TestSupport
@testable import DBus

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

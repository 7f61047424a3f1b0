// SPDX-License-Identifier: MIT
import BadgeCore
import DBus

extension PropertyValue {
  /// A value of a key as it came over the bus.
  init(_ value: Value) {
    switch value {
    case .boolean(let value): self = .boolean(value)
    case .byte(let value): self = .integer(Int64(value))
    case .int16(let value): self = .integer(Int64(value))
    case .uint16(let value): self = .integer(Int64(value))
    case .int32(let value): self = .integer(Int64(value))
    case .uint32(let value): self = .integer(Int64(value))
    case .int64(let value): self = .integer(value)
    case .uint64(let value): self = Int64(exactly: value).map(Self.integer) ?? .unsigned(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .dictionary(key: .string, _, let entries):
      self = .sources(
        entries.compactMap { entry in
          guard case .string(let name) = entry.key else { return nil }
          return SourceEntry(name: name, value: PropertyValue(entry.value))
        }
      )
    default: self = .unsupported(value.signature?.rawValue ?? "?")
    }
  }

  /// The value as it travels.
  var busValue: Value {
    switch self {
    case .boolean(let value): .boolean(value)
    case .integer(let value): .int64(value)
    case .unsigned(let value): .uint64(value)
    case .double(let value): .double(value)
    case .string(let value), .unsupported(let value): .string(value)
    case .sources(let entries):
      .dictionary(
        key: .string,
        value: Signature(.int64),
        entries.compactMap { entry in
          guard case .integer(let count) = entry.value else { return nil }
          return DictionaryEntry(key: .string(entry.name), value: .int64(count))
        }
      )
    }
  }
}

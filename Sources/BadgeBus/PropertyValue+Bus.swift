// SPDX-License-Identifier: MIT
package import BadgeCore
package import DBus

extension PropertyValue {
  /// A value from the bus as the domain takes it: integers of every width are one, and a dictionary
  /// from texts to integers, also wrapped in variants, is one of sources.
  package init(_ value: Value) {
    switch value {
    case .boolean(let value): self = .boolean(value)
    case .byte(let value): self = .integer(Int64(value))
    case .int16(let value): self = .integer(Int64(value))
    case .uint16(let value): self = .integer(Int64(value))
    case .int32(let value): self = .integer(Int64(value))
    case .uint32(let value): self = .integer(Int64(value))
    case .int64(let value): self = .integer(value)
    case .uint64(let value): self = Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .variant(let value): self = PropertyValue(value)
    case .dictionary(key: .string, value: _, let entries): self = .sources(Self.sources(entries))
    case .dictionary, .array, .structure, .objectPath, .signature, .unixDescriptor:
      self = .unsupported(value.signature?.rawValue ?? "\(value.typeCode)")
    }
  }

  private static func sources(_ entries: [DictionaryEntry]) -> [SourceEntry] {
    entries.compactMap { entry in
      guard case .string(let name) = entry.key else { return nil }
      return SourceEntry(name: name, value: PropertyValue(entry.value))
    }
  }

  /// The value as it travels.
  package var busValue: Value {
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

// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import DBus

extension PropertyValue {
  /// A value from the bus as the domain takes it: integers of every width are one, and a dictionary
  /// from texts to integers, also wrapped in variants, is one of sources.
  init(_ value: Value) {
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
}

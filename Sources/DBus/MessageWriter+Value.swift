// SPDX-License-Identifier: MIT

extension MessageWriter {
  /// Writes any value; one that does not agree with its own signature makes the writer fail.
  public mutating func append(_ value: Value) {
    switch value {
    case .byte(let value): append(value)
    case .boolean(let value): append(value)
    case .int16(let value): append(value)
    case .uint16(let value): append(value)
    case .int32(let value): append(value)
    case .uint32(let value): append(value)
    case .int64(let value): append(value)
    case .uint64(let value): append(value)
    case .double(let value): append(value)
    case .string(let value): append(value)
    case .objectPath(let value): append(value)
    case .signature(let value): append(value)
    case .unixDescriptor(let value): append(value)
    case .variant(let value): appendVariant(value)
    case .array(let element, let values):
      appendArray(of: element) { writer in
        for value in values { writer.append(value) }
      }
    case .dictionary(let key, let value, let entries):
      appendDictionary(key: key, value: value) { writer in
        for entry in entries {
          writer.appendEntry { writer in
            writer.append(entry.key)
            writer.append(entry.value)
          }
        }
      }
    case .structure(let members):
      appendStructure { writer in
        for member in members { writer.append(member) }
      }
    }
  }
}

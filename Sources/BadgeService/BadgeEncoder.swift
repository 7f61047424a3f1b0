// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import DBus

extension MessageWriter {
  /// Writes all readable keys of a badge as the entries of an a{sv}.
  mutating func appendEntries(of appearance: Appearance, now: Int64) {
    appendEntries(of: appearance, .readable, now: now)
  }

  /// Writes `kind`, `count`, `label`, `visible` and `urgent` of a badge, and those of `keys`, as the
  /// entries of an a{sv}.
  mutating func appendEntries(of appearance: Appearance, _ keys: BadgeKeySet, now: Int64) {
    let badge = appearance.badge
    appendEntry("kind", variant: badge.kind.rawValue)
    appendEntry("count", variant: badge.count)
    appendEntry("label", variant: badge.label)
    appendEntry("visible", variant: appearance.isVisible)
    appendEntry("urgent", variant: badge.isUrgent)
    for key in keys where !BadgeKeySet.always.contains(key) {
      guard let value = badge.value(of: key, now: now, quiet: appearance.isQuiet) else { continue }
      appendEntry(key.name, variant: value)
    }
  }

  /// Writes an entry of an a{sv}.
  private mutating func appendEntry(_ key: String, variant value: PropertyValue) {
    switch value {
    case .boolean(let value): appendEntry(key, variant: value)
    case .integer(let value): appendEntry(key, variant: value)
    case .unsigned(let value): appendEntry(key, variant: value)
    case .double(let value): appendEntry(key, variant: value)
    case .string(let value): appendEntry(key, variant: value)
    case .sources(let entries):
      appendEntry(key) { $0.appendVariant(of: .counts) { $0.append(counts: entries) } }
    case .unsupported: break
    }
  }

  /// Writes the bare value of a key.
  mutating func append(_ value: PropertyValue) {
    switch value {
    case .boolean(let value): append(value)
    case .integer(let value): append(value)
    case .unsigned(let value): append(value)
    case .double(let value): append(value)
    case .string(let value): append(value)
    case .sources(let entries): append(counts: entries)
    case .unsupported: break
    }
  }

  private mutating func append(counts: [SourceEntry]) {
    appendDictionary(key: .string, value: Signature(.int64)) { writer in
      for entry in counts {
        guard case .integer(let count) = entry.value else { continue }
        writer.appendEntry {
          $0.append(entry.name)
          $0.append(count)
        }
      }
    }
  }
}

extension Signature {
  /// Names and numbers, `a{sx}`.
  static let counts = Signature(constant: "a{sx}")
}

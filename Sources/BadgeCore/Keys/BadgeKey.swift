// SPDX-License-Identifier: MIT

/// A key of a badge, which has the same name in `Get`, `List`, `Update`, `Changed`, JSON and storage.
///
/// The cases are in the order of the key table; `summary` tells what each key means.
public enum BadgeKey: UInt8, CaseIterable, Sendable {
  case kind, count, text, sources, label, visible
  case hideAtZero, max, urgent, dismissable, dismissed, progress, description, icon
  case ttl, whilePID, origin
  case animate, animationAppear, animationChange, animationDisappear
  case background, foreground, font, fontSize, padding, minSize, fit
  case anchor, grow, offsetX, offsetY
  case preset

  /// The keys that `Update` takes.
  public static let writable = allCases.filter(\.isWritable)

  /// The keys that can be read.
  public static let readable = allCases.filter(\.isReadable)

  /// Finds a key by its name, byte by byte.
  public init?(name: String) {
    // A text that is canonically equivalent to an ASCII one but not equal has more bytes.
    guard let key = Self.byName[name], key.name.utf8.count == name.utf8.count else { return nil }
    self = key
  }

  /// The name on the bus, such as `hide-at-zero`.
  public var name: String { row.name }

  /// The name of a badge object's property, such as `HideAtZero`.
  public var propertyName: String { row.propertyName }

  /// The D-Bus signature of the value.
  public var signature: String { row.signature }

  /// Whether it can be read; every badge then has it.
  public var isReadable: Bool { row.read != nil }

  /// Whether `Update` takes it.
  public var isWritable: Bool { row.isWritable }

  /// Whether an empty string restores the default, whatever the key's type.
  public var isResettable: Bool { row.isResettable }

  /// What the key reads in a new badge; `nil` if that depends on the value, or it can't be read.
  public var defaultValue: PropertyValue? { row.defaultValue }

  /// What the key accepts, as it completes `is not` in an error; empty for a read-only key.
  public var expected: String { row.expected }

  /// One or two sentences of documentation.
  public var summary: String { row.summary }

  private static let byName = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.name, $0) }
  )

  var row: KeyRow { KeyRow.table[Int(rawValue)] }
}

/// A set of keys, stored in one word and iterated in the order of the table.
public struct BadgeKeySet: Hashable, Sendable, Sequence, ExpressibleByArrayLiteral {
  /// Bit n is the key of raw value n.
  private var bits: UInt64 = 0

  /// Makes a set from a literal.
  public init(arrayLiteral keys: BadgeKey...) {
    self.init(keys)
  }

  /// Makes a set of the keys of a sequence.
  public init(_ keys: some Sequence<BadgeKey>) {
    for key in keys {
      insert(key)
    }
  }

  /// The keys that every signal `Changed` holds.
  public static let always: Self = [.kind, .count, .label, .visible, .urgent]

  /// All keys that can be read.
  public static let readable = Self(BadgeKey.allCases.lazy.filter(\.isReadable))

  /// Whether the set has no key.
  public var isEmpty: Bool { bits == 0 }

  /// Whether the set has a key.
  public func contains(_ key: BadgeKey) -> Bool {
    bits & Self.bit(of: key) != 0
  }

  /// Adds a key, which may be in the set already.
  public mutating func insert(_ key: BadgeKey) {
    bits |= Self.bit(of: key)
  }

  /// Iterates over the keys in the order of the table.
  public func makeIterator() -> UnfoldSequence<BadgeKey, UInt64> {
    sequence(state: bits) { rest in
      guard rest != 0 else { return nil }
      defer { rest &= rest - 1 }
      return BadgeKey(rawValue: UInt8(rest.trailingZeroBitCount))
    }
  }

  private static func bit(of key: BadgeKey) -> UInt64 {
    1 << UInt64(key.rawValue)
  }
}

extension Badge {
  /// What a key reads.
  ///
  /// - Parameters:
  ///   - key: Any key.
  ///   - now: Nanoseconds of `CLOCK_BOOTTIME`, for `ttl`.
  ///   - quiet: Whether Quiet is on, for `visible`.
  /// - Returns: The value; `nil` for a key that can only be written.
  public func value(of key: BadgeKey, now: Int64, quiet: Bool) -> PropertyValue? {
    key.row.value(of: self, now: now, quiet: quiet)
  }
}

// SPDX-License-Identifier: MIT

/// A set of keys, in one word; iterates in the order of the table.
public struct BadgeKeySet: Hashable, Sendable, Sequence, ExpressibleByArrayLiteral {
  /// One bit a key, at the key's place in the table.
  private var bits: UInt64 = 0

  /// Makes a set of the keys listed.
  public init(arrayLiteral keys: BadgeKey...) {
    self.init(keys)
  }

  /// Makes a set of keys.
  public init(_ keys: some Sequence<BadgeKey>) {
    for key in keys {
      insert(key)
    }
  }

  /// The keys that the signal `Changed` always holds.
  public static let always: Self = [.kind, .count, .label, .visible, .urgent]

  /// Every key that can be read.
  public static let readable = Self(BadgeKey.allCases.lazy.filter(\.isReadable))

  /// Whether no key is in the set.
  public var isEmpty: Bool { bits == 0 }

  /// Whether a key is in the set.
  public func contains(_ key: BadgeKey) -> Bool {
    bits & Self.bit(of: key) != 0
  }

  /// Adds a key.
  public mutating func insert(_ key: BadgeKey) {
    bits |= Self.bit(of: key)
  }

  /// Removes a key.
  public mutating func remove(_ key: BadgeKey) {
    bits &= ~Self.bit(of: key)
  }

  /// The keys of both sets.
  public func union(_ other: Self) -> Self {
    var result = self
    result.bits |= other.bits
    return result
  }

  /// Iterates over the keys in the order of the table.
  public func makeIterator() -> Iterator {
    Iterator(rest: bits)
  }

  /// The keys of a set, one by one.
  public struct Iterator: IteratorProtocol {
    fileprivate var rest: UInt64

    /// The next key.
    public mutating func next() -> BadgeKey? {
      guard rest != 0 else { return nil }
      defer { rest &= rest - 1 }
      return BadgeKey(rawValue: UInt8(rest.trailingZeroBitCount))
    }
  }

  private static func bit(of key: BadgeKey) -> UInt64 {
    1 << UInt64(key.rawValue)
  }
}

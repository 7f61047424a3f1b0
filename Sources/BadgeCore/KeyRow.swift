// SPDX-License-Identifier: MIT

/// One row of the key table: all that is known of a key.
struct KeyRow: Sendable {
  /// When and how a badge is read.
  struct Moment {
    /// Nanoseconds of `CLOCK_BOOTTIME`.
    let now: Int64
    let isQuiet: Bool
  }

  let key: BadgeKey
  let name: String
  let signature: String
  let isWritable: Bool
  /// Whether an empty string puts the default back.
  var isResettable = false
  /// Whether it is kept while there is no badge.
  var isLook = false
  let defaultValue: PropertyValue?
  let expected: String
  let summary: String
  let read: (@Sendable (Badge, Moment) -> PropertyValue)?
  /// Sets the value where a badge simply holds it.
  ///
  /// Gives false, and changes nothing, where the type or the value is wrong. The other keys that can
  /// be written are `BadgeUpdate`'s business.
  let write: (@Sendable (inout Badge, PropertyValue) -> Bool)?
  /// Whether the value is one that the key takes.
  let accepts: @Sendable (PropertyValue) -> Bool

  /// The key's name in CamelCase.
  var propertyName: String {
    name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

extension KeyRow {
  /// A key that a badge simply holds.
  static func stored<Value>(
    _ key: BadgeKey,
    _ name: String,
    _ path: any WritableKeyPath<Badge, Value> & Sendable,
    _ codec: Codec<Value>,
    isResettable: Bool = false,
    isLook: Bool = true,
    _ summary: String
  ) -> KeyRow {
    KeyRow(
      key: key,
      name: name,
      signature: codec.signature,
      isWritable: true,
      isResettable: isResettable,
      isLook: isLook,
      defaultValue: codec.encode(Badge.plain[keyPath: path]),
      expected: codec.expected,
      summary: summary,
      read: { badge, _ in codec.encode(badge[keyPath: path]) },
      write: { badge, value in
        guard let value = codec.decode(value) else { return false }
        badge[keyPath: path] = value
        return true
      },
      accepts: { codec.decode($0) != nil }
    )
  }

  /// A key of style or animation.
  static func style<Value>(
    _ key: BadgeKey,
    _ name: String,
    _ path: any WritableKeyPath<Badge, Value> & Sendable,
    _ codec: Codec<Value>,
    _ summary: String
  ) -> KeyRow {
    stored(key, name, path, codec, isResettable: true, summary)
  }

  /// A key that is worked out, and can only be read.
  static func computed(
    _ key: BadgeKey,
    _ name: String,
    _ signature: String,
    default defaultValue: PropertyValue?,
    _ summary: String,
    _ read: @escaping @Sendable (Badge, Moment) -> PropertyValue
  ) -> KeyRow {
    KeyRow(
      key: key,
      name: name,
      signature: signature,
      isWritable: false,
      defaultValue: defaultValue,
      expected: "",
      summary: summary,
      read: read,
      write: nil,
      accepts: { _ in false }
    )
  }

  /// A key whose writing is more than holding a value.
  static func special<Value>(
    _ key: BadgeKey,
    _ name: String,
    _ codec: Codec<Value>,
    signature: String? = nil,
    default defaultValue: PropertyValue? = nil,
    _ summary: String,
    _ read: (@Sendable (Badge, Moment) -> PropertyValue)? = nil
  ) -> KeyRow {
    KeyRow(
      key: key,
      name: name,
      signature: signature ?? codec.signature,
      isWritable: true,
      defaultValue: defaultValue,
      expected: codec.expected,
      summary: summary,
      read: read,
      write: nil,
      accepts: { codec.decode($0) != nil }
    )
  }
}

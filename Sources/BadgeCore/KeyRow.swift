// SPDX-License-Identifier: MIT

/// One row of the key table: all that is known of a key.
final class KeyRow: Sendable {
  /// When and how a badge is read.
  struct Moment {
    /// Nanoseconds of `CLOCK_BOOTTIME`.
    let now: Int64
    let isQuiet: Bool
  }

  let key: BadgeKey
  let name: String
  /// The name in CamelCase.
  let propertyName: String
  let signature: String
  let isWritable: Bool
  /// Whether an empty string puts the default back.
  let isResettable: Bool
  /// Whether it is kept while there is no badge.
  let isLook: Bool
  /// Whether it reads its default while a badge has no details.
  let isDetail: Bool
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

  private init(
    key: BadgeKey,
    name: String,
    signature: String,
    isWritable: Bool,
    isResettable: Bool = false,
    isLook: Bool = false,
    isDetail: Bool = false,
    defaultValue: PropertyValue?,
    expected: String,
    summary: String,
    read: (@Sendable (Badge, Moment) -> PropertyValue)?,
    write: (@Sendable (inout Badge, PropertyValue) -> Bool)?,
    accepts: @escaping @Sendable (PropertyValue) -> Bool
  ) {
    self.key = key
    self.name = name
    propertyName =
      name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    self.signature = signature
    self.isWritable = isWritable
    self.isResettable = isResettable
    self.isLook = isLook
    self.isDetail = isDetail
    self.defaultValue = defaultValue
    self.expected = expected
    self.summary = summary
    self.read = read
    self.write = write
    self.accepts = accepts
  }
}

extension KeyRow {
  /// A key that a badge simply holds.
  static func stored<Value>(
    _ key: BadgeKey,
    _ name: String,
    _ get: @escaping @Sendable (Badge) -> Value,
    _ set: @escaping @Sendable (inout Badge, Value) -> Void,
    _ codec: Codec<Value>,
    isResettable: Bool = false,
    isLook: Bool = true,
    isDetail: Bool = true,
    _ summary: String
  ) -> KeyRow {
    KeyRow(
      key: key,
      name: name,
      signature: codec.signature,
      isWritable: true,
      isResettable: isResettable,
      isLook: isLook,
      isDetail: isDetail,
      defaultValue: codec.encode(get(.plain)),
      expected: codec.expected,
      summary: summary,
      read: { badge, _ in codec.encode(get(badge)) },
      write: { badge, value in
        guard let value = codec.decode(value) else { return false }
        set(&badge, value)
        return true
      },
      accepts: { codec.decode($0) != nil }
    )
  }

  /// A key of style or animation.
  static func style<Value>(
    _ key: BadgeKey,
    _ name: String,
    _ get: @escaping @Sendable (Style) -> Value,
    _ set: @escaping @Sendable (inout Style, Value) -> Void,
    _ codec: Codec<Value>,
    _ summary: String
  ) -> KeyRow {
    stored(
      key,
      name,
      { badge in badge.detail { get($0.style) } },
      { badge, value in badge.changeDetails { set(&$0.style, value) } },
      codec,
      isResettable: true,
      summary
    )
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
    isDetail: Bool = false,
    _ summary: String,
    _ read: (@Sendable (Badge, Moment) -> PropertyValue)? = nil
  ) -> KeyRow {
    KeyRow(
      key: key,
      name: name,
      signature: signature ?? codec.signature,
      isWritable: true,
      isDetail: isDetail,
      defaultValue: defaultValue,
      expected: codec.expected,
      summary: summary,
      read: read,
      write: nil,
      accepts: { codec.decode($0) != nil }
    )
  }
}

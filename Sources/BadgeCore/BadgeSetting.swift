// SPDX-License-Identifier: MIT

/// A key and a value that was checked to be one it takes, as it reads back.
public struct BadgeSetting: Hashable, Sendable {
  /// The key.
  public let key: BadgeKey
  /// The value.
  public let value: PropertyValue

  /// Makes a setting; what the key does not take is left out where the setting is used.
  public init(key: BadgeKey, value: PropertyValue) {
    self.key = key
    self.value = value
  }
}

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

  /// Makes a setting of what a file holds.
  ///
  /// - Returns: `nil` where the name is none of a key of style or policy, or the text is not how a
  ///   value that the key takes is written.
  public init?(name: String, text: String) {
    guard let key = BadgeKey(name: name), key.row.isLook else { return nil }
    let value: PropertyValue? =
      switch key.signature {
      case "b": text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
      case "x": Int64(text).map { .integer($0) }
      case "d": Double(text).map { .double($0) }
      default: .string(text)
      }
    guard let value, key.row.accepts(value) else { return nil }
    self.init(key: key, value: value)
  }

  /// The value as a file holds it; an empty text where the value is none that a setting has.
  public var text: String {
    switch value {
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value
    case .sources, .unsupported: ""
    }
  }
}

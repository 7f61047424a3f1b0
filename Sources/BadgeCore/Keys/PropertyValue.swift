// SPDX-License-Identifier: MIT

/// The value of a key as a peer or a file gave it, or as it is read.
///
/// D-Bus integers of every width become `integer`; `unsigned` is for what exceeds `Int64`, so that
/// an error can show the value.
public enum PropertyValue: Hashable, Sendable, CustomStringConvertible {
  /// D-Bus type `b`.
  case boolean(Bool)
  /// Any D-Bus integer that fits.
  case integer(Int64)
  /// A D-Bus `t` above `Int64.max`.
  case unsigned(UInt64)
  /// D-Bus type `d`.
  case double(Double)
  /// D-Bus type `s`.
  case string(String)
  /// A dictionary from names to values, read as `a{sx}`.
  case sources([SourceEntry])
  /// A value of a type that no key takes; the text is the type, such as `as`.
  case unsupported(String)

  /// The value for an error message: on one line, shortened, with strings in quotation marks.
  public var description: String {
    switch self {
    case .boolean(let value): String(value)
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .double(let value): String(value)
    case .string(let value): TextRules.quoted(value)
    case .sources(let entries): Self.description(of: entries)
    case .unsupported(let type): "a value of type \(TextRules.quoted(type))"
    }
  }

  /// As `description`, with numbers and booleans in quotation marks too.
  var quoted: String {
    switch self {
    case .boolean, .integer, .unsigned, .double: "'\(self)'"
    case .string, .sources, .unsupported: description
    }
  }

  /// Whether type and value are equal; strings are compared by their bytes.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): ExactString(left) == ExactString(right)
    case (.sources(let left), .sources(let right)): left == right
    case (.unsupported(let left), .unsupported(let right)): ExactString(left) == ExactString(right)
    default: false
    }
  }

  /// Hashes strings by their bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .boolean(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .unsigned(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value), .unsupported(let value): hasher.combine(ExactString(value))
    case .sources(let entries): hasher.combine(entries)
    }
  }

  private static func description(of entries: [SourceEntry]) -> String {
    let shown = entries.prefix(3).map { "\(TextRules.quoted($0.name)): \($0.value)" }
    let rest = entries.count > shown.count ? ", …" : ""
    return "{" + shown.joined(separator: ", ") + rest + "}"
  }
}

/// One entry of a dictionary of sources; the empty name is the unnamed source.
public struct SourceEntry: Hashable, Sendable {
  /// The name, unchecked.
  public var name: String
  /// The count, unchecked.
  public var value: PropertyValue

  /// Makes an entry without checking it.
  public init(name: String, value: PropertyValue) {
    self.name = name
    self.value = value
  }

  /// Whether the names' bytes and the values are equal.
  public static func == (left: Self, right: Self) -> Bool {
    ExactString(left.name) == ExactString(right.name) && left.value == right.value
  }

  /// Hashes the name by its bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ExactString(name))
    hasher.combine(value)
  }
}

/// A key and a value for it, as a book stores style and policy.
public struct BadgeSetting: Hashable, Sendable {
  /// The key that is set.
  public let key: BadgeKey
  /// The value, as it reads back.
  public let value: PropertyValue

  /// Makes a setting; it has no effect if the key does not take the value.
  public init(key: BadgeKey, value: PropertyValue) {
    self.key = key
    self.value = value
  }

  /// Reads a setting from a file.
  ///
  /// - Returns: `nil` if the name is not a key of style or policy, or it does not take the value.
  public init?(name: String, text: String) {
    guard let key = BadgeKey(name: name), key.row.isKept else { return nil }
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

  /// The value as written to a file; empty if no setting has such a value.
  public var text: String {
    switch value {
    case .boolean, .integer, .unsigned, .double: value.description
    case .string(let text): text
    case .sources, .unsupported: ""
    }
  }
}

// SPDX-License-Identifier: MIT

/// A value of a key as a peer or a file gave it, or as it is read.
///
/// D-Bus integers of every width arrive as `integer`; `unsigned` is only for what `Int64` can't
/// hold, so that a message can name the value.
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
  /// A dictionary from names to values; `a{sx}` when it is read.
  case sources([SourceEntry])
  /// A value of a type that no key takes; the text describes the type, such as `as`.
  case unsupported(String)

  /// The value as an error message shows it: on one line, shortened, strings in quotation marks.
  public var description: String {
    switch self {
    case .boolean(let value): String(value)
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .double(let value): String(value)
    case .string(let value): Quotation.quoted(value)
    case .sources(let entries): Self.description(of: entries)
    case .unsupported(let type): "a value of type \(Quotation.quoted(type))"
    }
  }

  /// The value as `description` has it, numbers in quotation marks too.
  var quoted: String {
    switch self {
    case .boolean, .integer, .unsigned, .double: "'\(self)'"
    case .string, .sources, .unsupported: description
    }
  }

  /// Whether two values are the same; strings are when their bytes are.
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

  /// Hashes the bytes of strings, as `==` compares them.
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
    let shown = entries.prefix(3).map { "\(Quotation.quoted($0.name)): \($0.value)" }
    let rest = entries.count > shown.count ? ", …" : ""
    return "{" + shown.joined(separator: ", ") + rest + "}"
  }
}

/// One entry of a dictionary of sources; the empty name is the unnamed source.
public struct SourceEntry: Hashable, Sendable {
  /// The name as it was given.
  public var name: String
  /// What it was given.
  public var value: PropertyValue

  /// Makes an entry; nothing is checked yet.
  public init(name: String, value: PropertyValue) {
    self.name = name
    self.value = value
  }

  /// Whether name, by its bytes, and value are the same.
  public static func == (left: Self, right: Self) -> Bool {
    ExactString(left.name) == ExactString(right.name) && left.value == right.value
  }

  /// Hashes the bytes of the name, as `==` compares them.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ExactString(name))
    hasher.combine(value)
  }
}

// SPDX-License-Identifier: MIT

/// The path of an object, such as `/org/freedesktop/DBus`.
///
/// Source: D-Bus specification, "Valid Object Paths".
public struct ObjectPath: Hashable, Sendable, CustomStringConvertible {
  /// The name as text, always valid.
  public let rawValue: String

  /// Takes a text from anywhere; nil where it is not an object path.
  public init?(_ rawValue: String) {
    guard NameGrammar.isObjectPath(rawValue.utf8.span) else { return nil }
    self.rawValue = rawValue
  }

  /// Takes a literal of the program's own.
  ///
  /// - Precondition: The literal is valid.
  public init(constant: StaticString) {
    let rawValue = String(describing: constant)
    precondition(NameGrammar.isObjectPath(rawValue.utf8.span), "not an object path")
    self.rawValue = rawValue
  }

  /// Takes a text that was found valid where it came in.
  init(validated rawValue: String) {
    self.rawValue = rawValue
  }

  /// The name as text.
  public var description: String { rawValue }
}

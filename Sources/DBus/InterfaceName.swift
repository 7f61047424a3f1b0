// SPDX-License-Identifier: MIT

/// The name of an interface, such as `org.freedesktop.DBus.Properties`.
///
/// Source: D-Bus specification, "Interface names".
public struct InterfaceName: Hashable, Sendable, CustomStringConvertible {
  /// The name as text, always valid.
  public let rawValue: String

  /// Takes a text from anywhere; nil where it is not an interface name.
  public init?(_ rawValue: String) {
    guard NameGrammar.isInterfaceName(rawValue.utf8.span) else { return nil }
    self.rawValue = rawValue
  }

  /// Takes a literal of the program's own.
  ///
  /// - Precondition: The literal is valid.
  public init(constant: StaticString) {
    let rawValue = String(describing: constant)
    precondition(NameGrammar.isInterfaceName(rawValue.utf8.span), "not an interface name")
    self.rawValue = rawValue
  }

  /// Takes a text that was found valid where it came in.
  init(validated rawValue: String) {
    self.rawValue = rawValue
  }

  /// The name as text.
  public var description: String { rawValue }
}

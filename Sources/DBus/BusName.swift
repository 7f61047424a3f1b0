// SPDX-License-Identifier: MIT

/// The name of a connection: unique (`:1.7`) or well known (`org.freedesktop.DBus`).
///
/// Source: D-Bus specification, "Bus names".
public struct BusName: Hashable, Sendable, CustomStringConvertible {
  /// The name as text, always valid.
  public let rawValue: String

  /// Takes a text from anywhere; nil where it is not a bus name.
  public init?(_ rawValue: String) {
    guard NameGrammar.isBusName(rawValue.utf8.span) else { return nil }
    self.rawValue = rawValue
  }

  /// Takes a literal of the program's own.
  ///
  /// - Precondition: The literal is valid.
  public init(constant: StaticString) {
    let rawValue = String(describing: constant)
    precondition(NameGrammar.isBusName(rawValue.utf8.span), "not a bus name")
    self.rawValue = rawValue
  }

  /// Takes a text that was found valid where it came in.
  init(validated rawValue: String) {
    self.rawValue = rawValue
  }

  /// The bus itself, `org.freedesktop.DBus`.
  public static let bus = BusName(constant: "org.freedesktop.DBus")

  /// Whether the bus gave this name to one connection for its life time, rather than on request.
  public var isUnique: Bool { rawValue.utf8.first == UInt8(ascii: ":") }

  /// The name as text.
  public var description: String { rawValue }
}

// SPDX-License-Identifier: MIT

/// The name of a method, a signal or a property's accessor, such as `GetAll`.
///
/// Source: D-Bus specification, "Member names".
public struct MemberName: Hashable, Sendable, CustomStringConvertible {
  /// The name as text, always valid.
  public let rawValue: String

  /// Takes a text from anywhere; nil where it is not a member name.
  public init?(_ rawValue: String) {
    guard NameGrammar.isMemberName(rawValue.utf8.span) else { return nil }
    self.rawValue = rawValue
  }

  /// Takes a literal of the program's own.
  ///
  /// - Precondition: The literal is valid.
  public init(constant: StaticString) {
    let rawValue = String(describing: constant)
    precondition(NameGrammar.isMemberName(rawValue.utf8.span), "not a member name")
    self.rawValue = rawValue
  }

  /// Takes a text that was found valid where it came in.
  init(validated rawValue: String) {
    self.rawValue = rawValue
  }

  /// The name as text.
  public var description: String { rawValue }
}

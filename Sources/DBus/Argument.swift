// SPDX-License-Identifier: MIT

/// What a method takes or returns, or a signal carries.
public struct Argument: Hashable, Sendable {
  /// The name, for people who read the introspection data.
  public let name: String
  /// The type: one complete one.
  public let signature: Signature

  /// An argument of the program's own.
  ///
  /// - Precondition: The signature is one complete type.
  public init(_ name: StaticString, _ signature: StaticString) {
    self.name = String(describing: name)
    self.signature = Signature(constant: signature)
    precondition(self.signature.isSingleCompleteType, "not one complete type")
  }
}

extension [Argument] {
  /// The arguments' types one after another.
  ///
  /// - Precondition: Together they are no longer than a signature may be.
  var signature: Signature {
    let signature = Signature(map(\.signature.rawValue).joined())
    precondition(signature != nil, "more arguments than a signature holds")
    return signature ?? .empty
  }
}

/// A remark for programs that read the introspection data.
///
/// Source: D-Bus specification, "Introspection Data Format".
public struct Annotation: Hashable, Sendable {
  /// The name, such as `org.freedesktop.DBus.Deprecated`.
  public let name: String
  /// What is said under that name, such as `true`.
  public let value: String

  /// A remark.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Not to be used any more.
  public static let deprecated = Annotation("org.freedesktop.DBus.Deprecated", "true")
  /// Of a method: no reply is sent.
  public static let noReply = Annotation("org.freedesktop.DBus.Method.NoReply", "true")
}

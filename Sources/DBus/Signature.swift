// SPDX-License-Identifier: MIT

/// The types of zero or more values, such as `sa{sv}`.
///
/// Source: D-Bus specification, "Signatures": at most 255 bytes, arrays and structures each at
/// most 32 deep.
public struct Signature: Hashable, Sendable, CustomStringConvertible {
  /// The signature as text, always valid.
  public let rawValue: String
  /// How many complete types follow one another in the signature.
  public let completeTypeCount: Int

  /// No values at all.
  public static let empty = Signature(validated: "", completeTypeCount: 0)
  /// `s`.
  public static let string = Signature(.string)
  /// `v`.
  public static let variant = Signature(.variant)
  /// `a{sv}`, a dictionary of named values.
  public static let namedValues = Signature(validated: "a{sv}", completeTypeCount: 1)

  /// Takes a text from anywhere; nil where it is not a signature.
  public init?(_ rawValue: String) {
    guard let count = SignatureGrammar.completeTypeCount(rawValue.utf8.span) else { return nil }
    self.init(validated: rawValue, completeTypeCount: count)
  }

  /// Takes a literal of the program's own.
  ///
  /// - Precondition: The literal is valid.
  public init(constant: StaticString) {
    let signature = Signature(String(describing: constant))
    precondition(signature != nil, "not a signature")
    self = signature ?? .empty
  }

  /// The signature of one value of a type that needs no more than its code; a container's code
  /// alone gives a signature that is empty.
  public init(_ code: TypeCode) {
    guard code.isBasic || code == .variant else {
      self = .empty
      return
    }
    self.init(validated: code.description, completeTypeCount: 1)
  }

  init(validated rawValue: String, completeTypeCount: Int) {
    self.rawValue = rawValue
    self.completeTypeCount = completeTypeCount
  }

  /// Whether this is the signature of exactly one value.
  public var isSingleCompleteType: Bool { completeTypeCount == 1 }

  /// The signatures of the values one by one.
  public var completeTypes: [Signature] {
    let bytes = Array(rawValue.utf8)
    var types: [Signature] = []
    var position = 0
    while let end = SignatureGrammar.endOfType(bytes.span, from: position) {
      let text = String(decoding: bytes[position..<end], as: UTF8.self)
      types.append(Signature(validated: text, completeTypeCount: 1))
      position = end
    }
    return types
  }

  /// The signature as text.
  public var description: String { rawValue }

  /// Whether both are the same text.
  public static func == (left: Signature, right: Signature) -> Bool {
    left.rawValue == right.rawValue
  }

  /// Feeds the text to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rawValue)
  }
}

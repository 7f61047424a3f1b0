// SPDX-License-Identifier: MIT

/// Why a change or a look-up was refused; a refused call changes nothing.
public enum BadgeError: Error, Hashable, Sendable {
  /// There is no badge of this id.
  case noSuchBadge(BadgeID)

  /// The text is not a valid id; the reason reads like `holds a '/'`.
  case invalidID(String, reason: String)

  /// The key, argument or property does not take this value; `expected` completes `is not`.
  case invalidValue(key: String, value: PropertyValue, expected: String)

  /// The key is unknown, read only, repeated or excluded by another key of the call.
  case invalidKey(String, reason: String)

  /// The badge's `dismissable` is false.
  case notDismissable(BadgeID)

  /// A limit of `BadgeLimits` is reached; the text names it.
  case limitReached(String)

  /// The last element of the error's name on the bus.
  ///
  /// `LimitsExceeded` is a standard error of D-Bus, the others are the daemon's own.
  public var name: String {
    switch self {
    case .noSuchBadge: "NoSuchBadge"
    case .invalidID: "InvalidId"
    case .invalidValue, .invalidKey: "InvalidValue"
    case .notDismissable: "NotDismissable"
    case .limitReached: "LimitsExceeded"
    }
  }

  /// One line that names the value, what is wrong with it and what is accepted.
  public var message: String {
    switch self {
    case .noSuchBadge(let id):
      "no such badge: \(TextRules.quoted(id.rawValue))"
    case .invalidID(let raw, let reason):
      "id: \(TextRules.quoted(raw)) \(reason); an id is 1 to \(BadgeLimits.idBytes) bytes without "
        + "'/', control characters or white space at an end"
    case .invalidValue(let key, let value, let expected):
      "\(key): \(Self.shown(value, for: key)) is not \(expected)"
    case .invalidKey(let key, let reason):
      "\(TextRules.quoted(key)) \(reason)"
    case .notDismissable(let id):
      "not dismissable: \(TextRules.quoted(id.rawValue)); its key 'dismissable' is false"
    case .limitReached(let limit):
      "limit reached: \(limit)"
    }
  }

  /// An error for a key that does not exist, which lists the keys that could have been meant.
  public static func unknownKey(_ name: String, among keys: some Sequence<BadgeKey>) -> Self {
    .invalidKey(name, reason: "is not a key of a badge; known keys: \(list(of: keys))")
  }

  static func readOnlyKey(_ name: String) -> Self {
    .invalidKey(name, reason: "is read only; keys to write: \(list(of: BadgeKey.writable))")
  }

  private static func list(of keys: some Sequence<BadgeKey>) -> String {
    keys.map(\.name).joined(separator: ", ")
  }

  /// The value in quotation marks, preceded by its type if that is what is wrong.
  private static func shown(_ value: PropertyValue, for key: String) -> String {
    let takesText =
      BadgeKey(name: key).map { $0.signature == "s" || $0 == .sources } ?? (key == "source")
    switch value {
    case .string where !takesText: return "the text \(value.quoted)"
    case .boolean where takesText: return "the boolean \(value.quoted)"
    case .integer where takesText, .unsigned where takesText, .double where takesText:
      return "the number \(value.quoted)"
    default: return value.quoted
    }
  }
}

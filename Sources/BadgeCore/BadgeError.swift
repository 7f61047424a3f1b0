// SPDX-License-Identifier: MIT

/// Why a change or a look-up was refused; nothing of the call was applied.
public enum BadgeError: Error, Hashable, Sendable {
  /// There is no badge of this id.
  case noSuchBadge(BadgeID)

  /// The text is not an id; the reason reads after it, such as `holds a '/'`.
  case invalidID(String, reason: String)

  /// The key, argument or property does not take this value; `expected` reads after `is not`.
  case invalidValue(key: String, value: PropertyValue, expected: String)

  /// No badge has this key, or none that can be written.
  case invalidKey(String, reason: String)

  /// The badge is one that a person may not remove from a panel.
  case notDismissable(BadgeID)

  /// One of the contract's bounds is reached; the text names it.
  case limitReached(String)

  /// The last element of the error's name on the bus.
  ///
  /// All but `LimitsExceeded`, which is a standard error, are the daemon's own.
  public var name: String {
    switch self {
    case .noSuchBadge: "NoSuchBadge"
    case .invalidID: "InvalidId"
    case .invalidValue, .invalidKey: "InvalidValue"
    case .notDismissable: "NotDismissable"
    case .limitReached: "LimitsExceeded"
    }
  }

  /// One line that says what was wrong with which value and what would be right.
  public var message: String {
    switch self {
    case .noSuchBadge(let id):
      "no such badge: \(Quotation.quoted(id.rawValue))"
    case .invalidID(let raw, let reason):
      "id: \(Quotation.quoted(raw)) \(reason); an id is 1 to \(Limits.idBytes) bytes without '/', "
        + "control characters or white space at an end"
    case .invalidValue(let key, let value, let expected):
      "\(key): \(Self.shown(value, for: key)) is not \(expected)"
    case .invalidKey(let key, let reason):
      "\(Quotation.quoted(key)) \(reason)"
    case .notDismissable(let id):
      "not dismissable: \(Quotation.quoted(id.rawValue)); its key 'dismissable' is false"
    case .limitReached(let limit):
      "limit reached: \(limit)"
    }
  }

  /// A key that no badge has, among those that could have been meant.
  public static func unknownKey(_ name: String, among keys: some Sequence<BadgeKey>) -> Self {
    .invalidKey(name, reason: "is not a key of a badge; known keys: \(list(of: keys))")
  }

  /// A key that can't be written.
  static func readOnlyKey(_ name: String) -> Self {
    .invalidKey(name, reason: "is read only; keys to write: \(list(of: BadgeKey.writable))")
  }

  private static func list(of keys: some Sequence<BadgeKey>) -> String {
    keys.map(\.name).joined(separator: ", ")
  }

  /// The value in quotation marks; with its type where only that is wrong with it.
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

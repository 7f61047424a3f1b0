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
      "\(key): \(value) is not \(expected)"
    case .invalidKey(let key, let reason):
      "\(Quotation.quoted(key)) \(reason)"
    case .notDismissable(let id):
      "not dismissable: \(Quotation.quoted(id.rawValue)); its key 'dismissable' is false"
    case .limitReached(let limit):
      "limit reached: \(limit)"
    }
  }
}

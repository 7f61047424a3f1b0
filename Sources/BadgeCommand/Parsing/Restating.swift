// SPDX-License-Identifier: MIT
import BadgeCore

/// A refusal of a key's value with the words that were given in place of the form the value travels
/// in; nil for any other message.
func restated(_ message: String, key: String, _ value: PropertyValue, as given: String) -> String? {
  let refusal = BadgeError.invalidValue(key: key, value: value, expected: "").message
  let shown = "'\(value)' is not "
  guard message.hasPrefix(refusal), refusal.hasSuffix(shown) else { return nil }
  switch value {
  case .integer, .double:
    return refusal.dropLast(shown.count) + quoted(given) + " is not "
      + message.dropFirst(refusal.count)
  default: return nil
  }
}

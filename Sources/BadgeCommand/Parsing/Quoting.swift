// SPDX-License-Identifier: MIT
import BadgeCore

/// A value for an error message: in quotes, on one line, and shortened.
func quoted(_ value: String) -> String {
  let limit = 80
  var text = ""
  for (index, scalar) in value.unicodeScalars.enumerated() {
    if index == limit { return "'" + text + "…'" }
    appendPrintable(scalar, to: &text)
  }
  return "'" + text + "'"
}

/// A text with control characters shown as escapes.
func printable(_ value: String) -> String {
  var text = ""
  for scalar in value.unicodeScalars { appendPrintable(scalar, to: &text) }
  return text
}

/// True for control characters (C0, DEL, C1), line separators and marks that change the direction.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
  default: false
  }
}

private func appendPrintable(_ scalar: Unicode.Scalar, to text: inout String) {
  switch scalar {
  case "\n": text += "\\n"
  case "\t": text += "\\t"
  case _ where isControl(scalar):
    text +=
      scalar.value < 0x100
      ? "\\x" + hexadecimal(scalar.value, width: 2)
      : "\\u" + hexadecimal(scalar.value, width: 4)
  default: text.unicodeScalars.append(scalar)
  }
}

/// Replaces the value in a refusal by the words that were given; nil for any other message.
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

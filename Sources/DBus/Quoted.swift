// SPDX-License-Identifier: MIT

/// A peer's text as an error repeats it: in quotes, shortened, on one line.
func quoted(_ text: String) -> String {
  var result = "'"
  var room = ConnectionLimits.quotedCharacters
  for scalar in text.unicodeScalars {
    guard room > 0 else { return result + "…'" }
    room -= 1
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029:
      result += "\\u{" + String(scalar.value, radix: 16) + "}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "'"
}

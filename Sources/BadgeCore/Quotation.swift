// SPDX-License-Identifier: MIT

/// How a value of a peer is shown in an error message: on one line, and short.
enum Quotation {
  /// How many characters of a value are shown at most.
  private static let limit = 64

  /// The text in quotation marks, cut when it is long, with what would break the line escaped.
  static func quoted(_ text: String) -> String {
    var result = "'"
    var shown = 0
    for scalar in text.unicodeScalars {
      guard shown < limit else {
        result += "…"
        break
      }
      shown += 1
      if breaksLine(scalar) {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }

  private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.value == 0x2028
      || scalar.value == 0x2029
  }
}

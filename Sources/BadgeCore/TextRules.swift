// SPDX-License-Identifier: MIT

/// What a text, a name or an id may hold, worked out by Unicode's own properties.
enum TextRules {
  /// Whether a text is short enough and free of control characters (category Cc).
  static func isText(_ text: String, upTo limit: Int) -> Bool {
    text.utf8.count <= limit && !hasControl(text)
  }

  /// Whether any scalar of a text is a control character: C0, DEL or C1.
  static func hasControl(_ text: String) -> Bool {
    text.unicodeScalars.contains(where: isControl)
  }

  /// Whether a text starts or ends with a scalar that has Unicode's White_Space property.
  static func isPadded(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let last = scalars.last else { return false }
    return first.properties.isWhitespace || last.properties.isWhitespace
  }

  /// Whether a scalar is in the category Cc, which never grows: C0, DEL and C1.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }
}

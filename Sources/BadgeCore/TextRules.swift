// SPDX-License-Identifier: MIT

/// What a text, a name or an id may hold, and how its bytes are compared.
enum TextRules {
  /// Whether a text is short enough and free of control characters (category Cc).
  static func isText(_ text: String, upTo limit: Int) -> Bool {
    text.utf8.count <= limit && !hasControl(text)
  }

  /// Whether any scalar of a text is in the category Cc: C0, DEL or C1.
  static func hasControl(_ text: String) -> Bool {
    let bytes = text.utf8.span
    var previous: UInt8 = 0
    for index in bytes.indices {
      let byte = bytes[index]
      // The last is U+0080 to U+009F.
      if byte < 0x20 || byte == 0x7F || (previous == 0xC2 && byte < 0xA0) { return true }
      previous = byte
    }
    return false
  }

  /// Whether a text starts or ends with a scalar that has Unicode's White_Space property.
  static func isPadded(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let last = scalars.last else { return false }
    return isWhiteSpace(first) || isWhiteSpace(last)
  }

  private static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
    // Looking a property up costs more than all else that is done to an id.
    guard scalar.value >= 0x80 else {
      return scalar == " " || (0x09...0x0D).contains(scalar.value)
    }
    return scalar.properties.isWhitespace
  }

  /// A hash of a text's bytes, of this process alone; its lowest bit says that they are all ASCII.
  static func fingerprint(of text: String) -> Int {
    let bytes = text.utf8.span
    var hasher = Hasher()
    var word: UInt64 = 0
    var all: UInt8 = 0
    for index in bytes.indices {
      word = word << 8 | UInt64(bytes[index])
      all |= bytes[index]
      if index & 7 == 7 {
        hasher.combine(word)
        word = 0
      }
    }
    // The length ends the value, so that no text's bytes continue another's.
    hasher.combine(word)
    hasher.combine(bytes.count)
    return hasher.finalize() << 1 | (all < 0x80 ? 1 : 0)
  }

  /// Whether two texts are the same byte by byte.
  static func haveSameBytes(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left == right && Array(left.utf8) == Array(right.utf8)
  }
}

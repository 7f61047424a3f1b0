// SPDX-License-Identifier: MIT

/// What a text, a name or an id may hold, and how its bytes are compared.
///
/// Iterating over the bytes of a string is slow; over those of an array it is not.
enum TextRules {
  /// Whether a text is short enough and free of control characters (category Cc).
  static func isText(_ text: String, upTo limit: Int) -> Bool {
    text.utf8.count <= limit && !hasControl(Array(text.utf8)[...])
  }

  /// Whether any scalar of a text in UTF-8 is in the category Cc: C0, DEL or C1.
  static func hasControl(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return false }
    var previous: UInt8 = 0
    for byte in bytes {
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

  /// Whether all bytes are ASCII.
  static func isASCII(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.reduce(0, |) < 0x80
  }

  /// A hash of bytes, of this process alone.
  static func hash(of bytes: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    var word: UInt64 = 0
    var filled = 0
    for byte in bytes {
      word = word << 8 | UInt64(byte)
      filled += 1
      if filled & 7 == 0 {
        hasher.combine(word)
        word = 0
      }
    }
    // The length ends the value, so that no text's bytes continue another's.
    hasher.combine(word)
    hasher.combine(filled)
    return hasher.finalize()
  }

  /// Whether two texts are the same byte by byte.
  static func haveSameBytes(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left == right && Array(left.utf8) == Array(right.utf8)
  }
}

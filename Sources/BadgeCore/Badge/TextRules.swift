// SPDX-License-Identifier: MIT

/// What a text, a name or an id may hold, and how its bytes are compared.
enum TextRules {
  /// Whether a text is short enough and free of control characters (category Cc).
  static func isText(_ text: String, upTo limit: Int) -> Bool {
    text.utf8.count <= limit && !hasControl(text)
  }

  /// Whether a text holds a scalar of category Cc: C0, DEL or C1.
  static func hasControl(_ text: String) -> Bool {
    let bytes = text.utf8.span
    var previous: UInt8 = 0
    for index in bytes.indices {
      let byte = bytes[index]
      // C1, U+0080 to U+009F, is encoded as C2 80 to C2 9F.
      if byte < 0x20 || byte == 0x7F || (previous == 0xC2 && byte < 0xA0) { return true }
      previous = byte
    }
    return false
  }

  /// Whether a text starts or ends with Unicode white space.
  static func isPadded(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let last = scalars.last else { return false }
    return isWhiteSpace(first) || isWhiteSpace(last)
  }

  private static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
    // Unicode's property tables are slow; ASCII does not need them.
    guard scalar.value >= 0x80 else {
      return scalar == " " || (0x09...0x0D).contains(scalar.value)
    }
    return scalar.properties.isWhitespace
  }

  /// Hashes a text's bytes, with this process's seed; the lowest bit is 1 if they are all ASCII.
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
    hasher.combine(word)
    hasher.combine(bytes.count)
    return hasher.finalize() << 1 | (all < 0x80 ? 1 : 0)
  }

  /// Whether two texts are equal byte by byte.
  static func haveSameBytes(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left == right && Array(left.utf8) == Array(right.utf8)
  }

  /// The text in quotation marks for an error message: on one line and cut at 64 scalars.
  static func quoted(_ text: String) -> String {
    var result = "'"
    for (index, scalar) in text.unicodeScalars.enumerated() {
      guard index < 64 else {
        result += "…"
        break
      }
      let breaksLine =
        scalar.properties.generalCategory == .control || [0x2028, 0x2029].contains(scalar.value)
      if breaksLine {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }
}

/// A string that is compared and hashed by its UTF-8 bytes.
///
/// Swift compares strings by canonical equivalence, which would make one text of two that differ on
/// the bus.
struct ExactString: Hashable, Sendable {
  var text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: Self, right: Self) -> Bool {
    TextRules.haveSameBytes(left.text, right.text)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(TextRules.fingerprint(of: text))
  }
}

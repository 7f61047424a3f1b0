// SPDX-License-Identifier: MIT

/// How many columns a terminal gives to a text.
enum TextWidth {
  /// The columns of a text without control characters: 2 for wide characters and emoji, 0 for
  /// marks that join what is before them.
  static func columns(of text: String) -> Int {
    text.reduce(0) { $0 + columns(of: $1) }
  }

  static func columns(of character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      // VARIATION SELECTOR-16 asks for the coloured, wide form of what it follows.
      width = scalar == "\u{FE0F}" ? 2 : max(width, columns(of: scalar))
    }
    return width
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return scalar == "\u{AD}" ? 0 : 1 }
    if isWide(scalar) { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isJoiningJamo(scalar) ? 0 : 1
    }
  }

  /// Medial vowels and final consonants draw inside the syllable they follow.
  private static func isJoiningJamo(_ scalar: Unicode.Scalar) -> Bool {
    (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value)
  }

  /// East Asian Width W and F (Unicode Standard Annex 11), blocks rounded to their assigned parts.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD,
  ]

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isEmojiPresentation { return true }
    return wideRanges.contains { $0.contains(scalar.value) }
  }
}

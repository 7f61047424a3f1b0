// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

/// Draws badges for a terminal: one per line, the label as a pill in the badge's colours.
struct Pills {
  var depth: ColorDepth
  /// Lines are cut to this many columns; nil means never.
  var columns: Int?

  /// The lines, without newlines.
  func lines(_ badges: [BadgeState]) -> [String] {
    let ids = badges.map { fitted($0.id.rawValue, to: third) }
    let idWidth = ids.map(TextWidth.columns).max() ?? 0
    let labels = badges.map(label)
    let labelWidth = labels.map(TextWidth.columns).max() ?? 0
    return badges.indices.map { index in
      line(
        badges[index],
        id: ids[index],
        idWidth: idWidth,
        label: labels[index],
        labelWidth: labelWidth
      )
    }
  }

  private func line(
    _ badge: BadgeState,
    id: String,
    idWidth: Int,
    label: String,
    labelWidth: Int
  ) -> String {
    let gap = String(repeating: " ", count: idWidth - TextWidth.columns(of: id))
    let lead = String(repeating: " ", count: labelWidth - TextWidth.columns(of: label))
    let room = columns.map { $0 - idWidth - labelWidth - 6 }
    let notes = room ?? .max < 8 ? "" : fitted(notes(on: badge), to: room)
    let tail = notes.isEmpty ? "" : "  " + notes
    return "\(id)\(gap)  \(lead)\(pill(badge, label))\(tail)"
  }

  private func label(of badge: BadgeState) -> String {
    let text = badge.kind == "dot" ? PlainText.bullet : badge.label
    return fitted(text, to: third)
  }

  private func pill(_ badge: BadgeState, _ label: String) -> String {
    guard badge.isVisible else {
      return depth == .none ? "-\(label)-" : "\u{1B}[2m \(label) \u{1B}[0m"
    }
    let ground = BadgeColor(badge.background)?.parameters(layer: 48, depth: depth)
    let ink = BadgeColor(badge.foreground)?.parameters(layer: 38, depth: depth)
    guard let ground, let ink else { return "(\(label))" }
    return "\u{1B}[\(ground);\(ink)m \(label) \u{1B}[0m"
  }

  private func notes(on badge: BadgeState) -> String {
    var notes: [String] = []
    if badge.isUrgent { notes.append("urgent") }
    if badge.progress >= 0 { notes.append("\(Int((min(badge.progress, 1) * 100).rounded()))%") }
    if badge.isDismissed { notes.append("dismissed") }
    if !badge.isVisible, !badge.isDismissed { notes.append("hidden") }
    if !badge.description.isEmpty { notes.append(badge.description) }
    return Escaping.plain(notes.joined(separator: ", "))
  }

  /// The most columns that id and label may each take.
  private var third: Int? { columns.map { max(6, $0 / 3) } }

  /// Cuts a text to a number of columns, ending in an ellipsis.
  private func fitted(_ text: String, to room: Int?) -> String {
    let text = Escaping.plain(text)
    guard let room, TextWidth.columns(of: text) > room else { return text }
    var result = ""
    var width = 0
    for character in text {
      width += TextWidth.columns(of: character)
      if width >= room { break }
      result.append(character)
    }
    return result + "…"
  }
}

/// The width of texts on a terminal.
enum TextWidth {
  /// The columns of a text without control characters: 2 for wide characters, 0 for combining marks.
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

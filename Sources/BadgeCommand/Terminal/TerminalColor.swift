// SPDX-License-Identifier: MIT
import BadgeCore

/// How many colours a terminal has.
enum ColorDepth: Equatable {
  case none
  case palette256
  case trueColor

  /// Reads `NO_COLOR` (no-color.org), `COLORTERM` and `TERM`.
  init(environment: Environment) {
    if let refusal = environment["NO_COLOR"], !refusal.isEmpty {
      self = .none
      return
    }
    let kind = environment["COLORTERM"] ?? ""
    let terminal = environment["TERM"] ?? ""
    if kind == "truecolor" || kind == "24bit" {
      self = .trueColor
    } else if terminal.utf8.count >= 8, containsWord("256color", in: terminal) {
      self = .palette256
    } else {
      self = .none
    }
  }
}

/// Whether `text` contains `word`, byte for byte.
func containsWord(_ word: String, in text: String) -> Bool {
  let needle = Array(word.utf8)
  let bytes = Array(text.utf8)
  guard needle.count <= bytes.count else { return false }
  return (0...(bytes.count - needle.count)).contains { bytes[$0...].starts(with: needle) }
}

/// How a terminal shows a colour; alpha is ignored.
extension BadgeColor {
  /// The parameters of an SGR sequence (ECMA-48; xterm's 38 and 48): `layer` is 38 for text, 48 for
  /// the ground under it.
  func parameters(layer: Int, depth: ColorDepth) -> String? {
    switch depth {
    case .none: nil
    case .palette256: "\(layer);5;\(paletteIndex)"
    case .trueColor: "\(layer);2;\(red);\(green);\(blue)"
    }
  }

  /// The nearest of the 6×6×6 cube (16 to 231) and the greys (232 to 255) of xterm's palette.
  var paletteIndex: Int {
    let levels = [0, 95, 135, 175, 215, 255]
    func nearest(_ component: UInt8) -> Int {
      levels.indices.min { abs(levels[$0] - Int(component)) < abs(levels[$1] - Int(component)) }
        ?? 0
    }
    let (r, g, b) = (nearest(red), nearest(green), nearest(blue))
    let average = (Int(red) + Int(green) + Int(blue)) / 3
    let grey = min(23, max(0, (average - 3) / 10))
    let cubeError = distance(levels[r], levels[g], levels[b])
    let level = 8 + grey * 10
    return distance(level, level, level) < cubeError ? 232 + grey : 16 + 36 * r + 6 * g + b
  }

  private func distance(_ r: Int, _ g: Int, _ b: Int) -> Int {
    let (dr, dg, db) = (r - Int(red), g - Int(green), b - Int(blue))
    return dr * dr + dg * dg + db * db
  }
}

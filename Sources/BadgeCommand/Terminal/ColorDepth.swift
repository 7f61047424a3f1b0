// SPDX-License-Identifier: MIT

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

/// True where `text` holds `word`, byte for byte.
func containsWord(_ word: String, in text: String) -> Bool {
  let needle = Array(word.utf8)
  let bytes = Array(text.utf8)
  guard needle.count <= bytes.count else { return false }
  return (0...(bytes.count - needle.count)).contains { bytes[$0...].starts(with: needle) }
}

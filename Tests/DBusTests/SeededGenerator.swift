// SPDX-License-Identifier: MIT

import TestSupport

extension SeededGenerator {
  /// A text of up to `length` of the given characters.
  mutating func text(of characters: [Character], length: Int) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...length, using: &self) {
      if let character = characters.randomElement(using: &self) { text.append(character) }
    }
    return text
  }
}

// SPDX-License-Identifier: MIT

/// A string that compares and hashes by its UTF-8 bytes.
///
/// Swift's own strings compare by canonical equivalence, so that two different texts of a peer could
/// be one here and two on the bus.
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

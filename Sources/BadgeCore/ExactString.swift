// SPDX-License-Identifier: MIT

/// A string that compares, sorts and hashes by its UTF-8 bytes.
///
/// Swift's own strings compare by canonical equivalence, so that two different ids of a peer could
/// be one key here and two keys on the bus.
struct ExactString: Hashable, Comparable, Sendable {
  var text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: Self, right: Self) -> Bool {
    let (left, right) = (left.text.utf8Span.span, right.text.utf8Span.span)
    guard left.count == right.count else { return false }
    for index in left.indices where left[index] != right[index] {
      return false
    }
    return true
  }

  static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    let bytes = text.utf8Span.span
    var word: UInt64 = 0
    for index in bytes.indices {
      word = word << 8 | UInt64(bytes[index])
      if index & 7 == 7 {
        hasher.combine(word)
        word = 0
      }
    }
    // The length ends the value, so that no string's bytes continue another's.
    hasher.combine(word)
    hasher.combine(bytes.count)
  }
}

// SPDX-License-Identifier: MIT

/// Finds what a misspelt word was meant to be.
enum Suggestion {
  /// The candidate that takes the fewest edits; nil where none is near.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let limit = max(1, word.utf8.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let isPrefix = word.utf8.count >= 2 && candidate.utf8.starts(with: word.utf8)
      let distance = isPrefix ? 1 : distance(Array(word.utf8), Array(candidate.utf8))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Insertions, deletions, replacements and swaps of neighbours that make one into the other.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    // Longer words are no misspelling of any name there is.
    guard a.count <= 64 else { return .max }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}

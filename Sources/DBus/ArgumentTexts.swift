// SPDX-License-Identifier: MIT

/// What a match rule wants of arguments, by their numbers; written like a dictionary.
public struct ArgumentTexts: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  private struct Entry: Hashable, Sendable {
    let index: Int
    var text: String
  }

  /// By rising numbers.
  private var entries: [Entry] = []

  /// The texts of these arguments; of two for one argument the later counts.
  public init(dictionaryLiteral elements: (Int, String)...) {
    for (index, text) in elements { self[index] = text }
  }

  /// The numbers of the arguments, rising.
  public var indices: [Int] { entries.map { $0.index } }

  /// What is wanted of an argument; nil where it is nothing.
  public subscript(index: Int) -> String? {
    get {
      for entry in entries where entry.index == index { return entry.text }
      return nil
    }
    set {
      let position = entries.firstIndex { $0.index >= index } ?? entries.count
      let isThere = position < entries.count && entries[position].index == index
      if isThere { entries.remove(at: position) }
      if let newValue { entries.insert(Entry(index: index, text: newValue), at: position) }
    }
  }
}

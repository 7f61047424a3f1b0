// SPDX-License-Identifier: MIT

/// Text of lines `name=value`, which holds what has no column of its own.
///
/// Readable with `sqlite3`, and unambiguous because neither names nor values can hold a control
/// character.
struct Lines: Hashable, Sendable {
  /// The text, in UTF-8; a line feed after each line.
  private(set) var bytes: [UInt8] = []

  /// Adds a line.
  mutating func add(_ name: String, _ value: String) {
    bytes.append(contentsOf: name.utf8)
    bytes.append(UInt8(ascii: "="))
    bytes.append(contentsOf: value.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Adds a line unless there is nothing to say.
  mutating func add(_ name: String, _ value: (some LosslessStringConvertible)?) {
    if let value {
      add(name, value.description)
    }
  }

  /// The lines of a text in their order.
  ///
  /// - Throws: ``RowError`` if one of them has no `=`, or the last one no end.
  static func parse(_ text: String) throws(RowError) -> [(name: String, value: String)] {
    var lines: [(name: String, value: String)] = []
    var rest = text.utf8[...]
    while !rest.isEmpty {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")),
        let equals = rest[..<end].firstIndex(of: UInt8(ascii: "=")),
        let name = String(rest[..<equals]),
        let value = String(rest[rest.index(after: equals)..<end])
      else { throw RowError("it holds a line that is none") }
      lines.append((name, value))
      rest = rest[rest.index(after: end)...]
    }
    return lines
  }
}

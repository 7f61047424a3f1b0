// SPDX-License-Identifier: MIT

/// What the unnamed source of a badge holds.
public enum UnnamedValue: Hashable, Sendable {
  /// A count within the bounds.
  case number(Int64)
  /// A text that does not read as a number.
  case text(Text)
  /// Neither: the badge only shows that there is something.
  case dot

  /// A text, compared by its bytes.
  public struct Text: Hashable, Sendable {
    private let exact: ExactString

    /// The text, never empty.
    public var rawValue: String { exact.text }

    fileprivate init(_ text: String) {
      exact = ExactString(text)
    }
  }

  /// Reads a text: as a count if it is one, else as itself; `nil` for an empty text.
  ///
  /// - Throws: `BadgeError.invalidValue` if it is too long or holds a control character.
  public static func reading(_ text: String) throws(BadgeError) -> Self? {
    guard TextRules.isText(text, upTo: BadgeLimits.textBytes) else {
      let key = BadgeKey.text
      throw .invalidValue(key: key.name, value: .string(text), expected: key.expected)
    }
    guard !text.isEmpty else { return nil }
    guard case .count(let number) = BadgeCount.read(text) else { return .text(Text(text)) }
    return .number(number)
  }
}

/// A named source of a badge and its count, which is never 0 in a badge.
public struct SourceCount: Hashable, Sendable {
  /// The source's name.
  public let name: SourceName
  /// The source's own count, within ±(2^53 − 1).
  public internal(set) var count: Int64

  /// Makes a pair of name and count, unchecked.
  public init(name: SourceName, count: Int64) {
    self.name = name
    self.count = count
  }
}

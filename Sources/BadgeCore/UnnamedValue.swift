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

    /// The text.
    public var rawValue: String { exact.text }

    init(_ text: String) {
      exact = ExactString(text)
    }
  }

  /// What a text means: the count it reads as, else the text itself; `nil` for an empty one.
  ///
  /// - Throws: `BadgeError.invalidValue` when it is too long or holds a control character.
  public static func reading(_ text: String) throws(BadgeError) -> Self? {
    guard TextRules.isText(text, upTo: Limits.textBytes) else {
      throw .invalidValue(
        key: BadgeKey.text.name,
        value: .string(text),
        expected: "a text of at most \(Limits.textBytes) bytes without control characters"
      )
    }
    guard !text.isEmpty else { return nil }
    guard case .count(let number) = Count.read(text) else { return .text(Text(text)) }
    return .number(number)
  }
}

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

/// The arithmetic of counts, which are within ±(2^53 − 1), so that JSON can hold them exactly.
public enum BadgeCount {
  /// The largest count, 2^53 − 1.
  public static let maximum: Int64 = 9_007_199_254_740_991

  /// The smallest count, −(2^53 − 1).
  public static let minimum: Int64 = -9_007_199_254_740_991

  /// The result of reading a text as a count.
  public enum Reading: Hashable, Sendable {
    case count(Int64)
    /// A whole number beyond the bounds.
    case outOfBounds
    /// Not a whole number in the plain form.
    case text
  }

  /// Whether a number is within ±(2^53 − 1).
  public static func isValid(_ number: Int64) -> Bool {
    (minimum...maximum).contains(number)
  }

  /// Clamps a number to ±(2^53 − 1).
  public static func saturated(_ number: Int64) -> Int64 {
    min(max(number, minimum), maximum)
  }

  /// Clamps a number to ±(2^53 − 1).
  static func saturated(_ number: Int128) -> Int64 {
    Int64(min(max(number, Int128(minimum)), Int128(maximum)))
  }

  /// Adds an amount of 0 or above and saturates.
  static func incremented(_ number: Int64, by amount: Int64) -> Int64 {
    let (sum, overflow) = number.addingReportingOverflow(amount)
    return overflow ? maximum : saturated(sum)
  }

  /// Subtracts an amount of 0 or above and stops at zero; a number below zero stays as it is.
  static func decremented(_ number: Int64, by amount: Int64) -> Int64 {
    number > 0 ? max(0, number - amount) : number
  }

  /// Reads `0` or `[1-9][0-9]*`, preceded by `-` if signs are allowed.
  public static func read(_ text: String, allowsSign: Bool = false) -> Reading {
    var digits = text.utf8[...]
    let isNegative = allowsSign && digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    let isPlain =
      digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && (digits.count == 1 || digits.first != UInt8(ascii: "0"))
    guard !digits.isEmpty, isPlain else { return .text }
    // 16 digits fit in Int64; 17 are beyond the bounds.
    guard digits.count <= 16 else { return .outOfBounds }
    let number = digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    guard number <= maximum else { return .outOfBounds }
    return .count(isNegative ? -number : number)
  }
}

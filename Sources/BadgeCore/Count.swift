// SPDX-License-Identifier: MIT

/// The arithmetic of counts: signed, within ±(2^53 − 1), so that JSON keeps them exactly.
public enum Count {
  /// The largest count, 2^53 − 1.
  public static let maximum: Int64 = 9_007_199_254_740_991

  /// The smallest count, −(2^53 − 1).
  public static let minimum: Int64 = -9_007_199_254_740_991

  /// How a text reads as a count.
  public enum Reading: Hashable, Sendable {
    /// The text is this count.
    case count(Int64)
    /// The text is a whole number beyond the bounds.
    case outOfBounds
    /// The text is no whole number in the plain form.
    case text
  }

  /// Whether a number is within the bounds.
  public static func isValid(_ number: Int64) -> Bool {
    (minimum...maximum).contains(number)
  }

  /// The nearest number within the bounds.
  public static func saturated(_ number: Int64) -> Int64 {
    min(max(number, minimum), maximum)
  }

  /// The nearest number within the bounds.
  static func saturated(_ number: Int128) -> Int64 {
    Int64(min(max(number, Int128(minimum)), Int128(maximum)))
  }

  /// The sum, saturated at the bounds; `by` is 0 or above.
  static func incremented(_ number: Int64, by: Int64) -> Int64 {
    let (sum, overflow) = number.addingReportingOverflow(by)
    return overflow ? maximum : saturated(sum)
  }

  /// The difference, which stops at zero and leaves what is below as it is; `by` is 0 or above.
  static func decremented(_ number: Int64, by: Int64) -> Int64 {
    number > 0 ? max(0, number - by) : number
  }

  /// Reads `0` or `[1-9][0-9]*`, with a `-` before it where that is allowed.
  public static func read(_ text: String, allowsSign: Bool = false) -> Reading {
    var digits = text.utf8[...]
    let isNegative = allowsSign && digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    let isPlain =
      digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && (digits.count == 1 || digits.first != UInt8(ascii: "0"))
    guard !digits.isEmpty, isPlain else { return .text }
    // 16 digits always fit; more are beyond the bounds.
    guard digits.count <= 16 else { return .outOfBounds }
    let number = digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    guard number <= maximum else { return .outOfBounds }
    return .count(isNegative ? -number : number)
  }
}

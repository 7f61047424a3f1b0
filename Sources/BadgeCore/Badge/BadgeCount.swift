// SPDX-License-Identifier: MIT

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

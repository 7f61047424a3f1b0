// SPDX-License-Identifier: MIT

extension KeyRow {
  /// The key table, in the order of `BadgeKey`.
  static let table = value + policy + style
}

extension Codec where Value == Int64 {
  /// A count within the bounds.
  static let count = integer(
    Count.minimum...Count.maximum,
    expected: "a whole number within ±\(Count.maximum)"
  )
}

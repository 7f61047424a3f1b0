// SPDX-License-Identifier: MIT

extension BadgeBook {
  /// Adds to the unnamed source, from 0 if it holds a text or a dot or there is no badge.
  ///
  /// - Returns: The badge's new count, and what changed.
  /// - Throws: `BadgeError.invalidValue` for a number below 0, `BadgeError.limitReached`.
  public mutating func increment(
    _ id: BadgeID,
    by amount: Int64 = 1
  ) throws(BadgeError) -> (count: Int64, change: Change) {
    try Self.check(amount: amount)
    let known = table.position(of: id)
    let number = Count.incremented(nativeNumber(at: known), by: amount)
    let outcome = try set(.number(number), for: id, at: known, isNews: amount > 0)
    return counted(outcome)
  }

  /// Takes from the unnamed source, down to zero; what is already below stays as it is.
  ///
  /// - Returns: The badge's new count, and what changed.
  /// - Throws: `BadgeError.invalidValue` for a number below 0, `BadgeError.noSuchBadge`,
  ///   `BadgeError.limitReached`.
  public mutating func decrement(
    _ id: BadgeID,
    by amount: Int64 = 1
  ) throws(BadgeError) -> (count: Int64, change: Change) {
    try Self.check(amount: amount)
    guard let known = table.position(of: id) else { throw .noSuchBadge(id) }
    let number = Count.decremented(nativeNumber(at: known), by: amount)
    let outcome = try set(.number(number), for: id, at: known)
    return counted(outcome)
  }

  /// Adds to a source; the empty name is the unnamed one.
  ///
  /// - Returns: The badge's new count, and what changed.
  /// - Throws: As `increment` does, and `BadgeError.invalidValue` for a name that is none.
  public mutating func incrementSource(
    _ source: String,
    of id: BadgeID,
    by amount: Int64 = 1
  ) throws(BadgeError) -> (count: Int64, change: Change) {
    guard let name = try Self.name(source) else { return try increment(id, by: amount) }
    try Self.check(amount: amount)
    let known = table.position(of: id)
    let before = known.map { table.slots[$0].badge.count(of: name) } ?? 0
    let count = Count.incremented(before, by: amount)
    let outcome = try set(name, to: count, for: id, at: known, isNews: amount > 0)
    return counted(outcome)
  }

  /// Takes from a source, down to zero; the empty name is the unnamed one.
  ///
  /// - Returns: The badge's new count, and what changed.
  /// - Throws: As `decrement` does, and `BadgeError.invalidValue` for a name that is none.
  public mutating func decrementSource(
    _ source: String,
    of id: BadgeID,
    by amount: Int64 = 1
  ) throws(BadgeError) -> (count: Int64, change: Change) {
    guard let name = try Self.name(source) else { return try decrement(id, by: amount) }
    try Self.check(amount: amount)
    guard let known = table.position(of: id) else { throw .noSuchBadge(id) }
    let count = Count.decremented(table.slots[known].badge.count(of: name), by: amount)
    let outcome = try set(name, to: count, for: id, at: known)
    return counted(outcome)
  }

  /// The number that a method counts on from: an app's own does not matter.
  private func nativeNumber(at known: Int?) -> Int64 {
    guard let known, table.slots[known].badge.origin == .native else { return 0 }
    return table.slots[known].badge.unnamedNumber
  }

  /// The answer to a count; made in an expression of its own, since the call that changes the book
  /// as an argument would work on a copy.
  private func counted(_ outcome: Outcome) -> (count: Int64, change: Change) {
    (table.slots[outcome.position].badge.count, outcome.change)
  }

  private static func check(amount: Int64) throws(BadgeError) {
    guard amount >= 0 else {
      throw .invalidValue(
        key: "by",
        value: .integer(amount),
        expected: "a whole number of 0 or above"
      )
    }
  }
}

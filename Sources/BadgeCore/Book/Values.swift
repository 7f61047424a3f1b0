// SPDX-License-Identifier: MIT

// MARK: Setting

extension BadgeBook {
  /// Sets the unnamed source to a number, and creates the badge if there is none.
  ///
  /// - Throws: `BadgeError.invalidValue` for a number out of bounds, `BadgeError.limitReached`.
  public mutating func setCount(_ count: Int64, for id: BadgeID) throws(BadgeError) -> BadgeChange {
    try setSource("", to: count, for: id)
  }

  /// Sets the unnamed source to a text, or to the number that it reads as; an empty text clears.
  ///
  /// - Throws: `BadgeError.invalidValue` for a text that is too long or has a control character,
  ///   `BadgeError.limitReached`.
  public mutating func setText(_ text: String, for id: BadgeID) throws(BadgeError) -> BadgeChange {
    guard let value = try UnnamedValue.reading(text) else { return clear(id) }
    return try set(value, for: id, at: storage.position(of: id)).change
  }

  /// Sets the unnamed source to a dot, and creates the badge if there is none.
  ///
  /// - Throws: `BadgeError.limitReached`.
  public mutating func setDot(for id: BadgeID) throws(BadgeError) -> BadgeChange {
    try set(.dot, for: id, at: storage.position(of: id)).change
  }

  /// Sets a source, and creates the badge if there is none.
  ///
  /// 0 removes a named source. The empty name is the unnamed source.
  ///
  /// - Throws: `BadgeError.invalidValue` for a number out of bounds or an invalid name,
  ///   `BadgeError.limitReached`.
  public mutating func setSource(
    _ source: String,
    to count: Int64,
    for id: BadgeID
  ) throws(BadgeError) -> BadgeChange {
    guard BadgeCount.isValid(count) else {
      let key = BadgeKey.count
      throw .invalidValue(key: key.name, value: .integer(count), expected: key.expected)
    }
    let name = try Self.name(source)
    return try set(name, to: count, for: id, at: storage.position(of: id)).change
  }
}

// MARK: Counting

extension BadgeBook {
  /// Adds to the unnamed source, from 0 if it is a text or a dot or there is no badge.
  ///
  /// - Returns: The badge's new count, and what changed.
  /// - Throws: `BadgeError.invalidValue` for an amount below 0, `BadgeError.limitReached`.
  public mutating func increment(
    _ id: BadgeID,
    by amount: Int64 = 1
  ) throws(BadgeError) -> (count: Int64, change: BadgeChange) {
    try incrementSource("", of: id, by: amount)
  }

  /// Subtracts from the unnamed source, down to zero; a number below zero stays as it is.
  ///
  /// - Returns: The badge's new count, and what changed.
  /// - Throws: `BadgeError.invalidValue` for an amount below 0, `BadgeError.noSuchBadge`,
  ///   `BadgeError.limitReached`.
  public mutating func decrement(
    _ id: BadgeID,
    by amount: Int64 = 1
  ) throws(BadgeError) -> (count: Int64, change: BadgeChange) {
    try decrementSource("", of: id, by: amount)
  }

  /// Adds to a source; the empty name is the unnamed one.
  ///
  /// - Returns: The badge's new count, and what changed.
  /// - Throws: As `increment` does, and `BadgeError.invalidValue` for an invalid name.
  public mutating func incrementSource(
    _ source: String,
    of id: BadgeID,
    by amount: Int64 = 1
  ) throws(BadgeError) -> (count: Int64, change: BadgeChange) {
    let name = try Self.name(source)
    try Self.check(amount: amount)
    let known = storage.position(of: id)
    let count = BadgeCount.incremented(number(of: name, at: known), by: amount)
    let (position, change) = try set(name, to: count, for: id, at: known, isNews: amount > 0)
    // Read after the mutation: evaluated inline, Swift would copy the book.
    return (storage[position].count, change)
  }

  /// Subtracts from a source, down to zero; the empty name is the unnamed one.
  ///
  /// - Returns: The badge's new count, and what changed.
  /// - Throws: As `decrement` does, and `BadgeError.invalidValue` for an invalid name.
  public mutating func decrementSource(
    _ source: String,
    of id: BadgeID,
    by amount: Int64 = 1
  ) throws(BadgeError) -> (count: Int64, change: BadgeChange) {
    let name = try Self.name(source)
    try Self.check(amount: amount)
    guard let known = storage.position(of: id) else { throw .noSuchBadge(id) }
    let count = BadgeCount.decremented(number(of: name, at: known), by: amount)
    let (position, change) = try set(name, to: count, for: id, at: known)
    return (storage[position].count, change)
  }

  /// The number from which to count; an app's own is disregarded.
  private func number(of name: SourceName?, at known: Int?) -> Int64 {
    guard let known, storage[known].origin == .native else { return 0 }
    return name.map { storage[known].count(of: $0) } ?? storage[known].unnamedNumber
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

  /// The name of a source; `nil` for the unnamed one.
  private static func name(_ source: String) throws(BadgeError) -> SourceName? {
    source.isEmpty ? nil : try SourceName(source, key: "source")
  }
}

// MARK: Sources

extension BadgeBook {
  /// Sets the unnamed source.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - id: The id of the badge.
  ///   - known: Where the badge is, if there is one.
  ///   - isNews: Whether this ends a dismissal even if the value is the dismissed one.
  /// - Returns: Where the badge is now, and what changed.
  /// - Throws: `BadgeError.limitReached`.
  mutating func set(
    _ value: UnnamedValue,
    for id: BadgeID,
    at known: Int?,
    isNews: Bool = false
  ) throws(BadgeError) -> (position: Int, change: BadgeChange) {
    let (position, isNew) = try becomeNative(id, at: known)
    let endsDismissal = endDismissal(of: storage[position]) { isNews || $0.unnamed != value }
    guard isNew || endsDismissal || storage[position].unnamed != value else {
      return (position, .none)
    }
    storage.change(at: position) { badge in
      badge.unnamed = value
      if endsDismissal { badge.isDismissed = false }
    }
    return (position, .updated(id))
  }

  /// Sets a source to a number, the unnamed one if there is no name.
  private mutating func set(
    _ name: SourceName?,
    to count: Int64,
    for id: BadgeID,
    at known: Int?,
    isNews: Bool = false
  ) throws(BadgeError) -> (position: Int, change: BadgeChange) {
    guard let name else { return try set(.number(count), for: id, at: known, isNews: isNews) }
    if count != 0, known.map({ storage[$0].count(of: name) }) ?? 0 == 0 {
      try checkSources(growing: known.map { storage[$0].namedSources.count } ?? 0, by: 1)
    }
    let (position, isNew) = try becomeNative(id, at: known)
    let endsDismissal = endDismissal(of: storage[position]) {
      isNews || $0.count(of: name) != count
    }
    guard isNew || endsDismissal || storage[position].count(of: name) != count else {
      return (position, .none)
    }
    storage.change(at: position) { badge in
      badge.setCount(count, of: name)
      if endsDismissal { badge.isDismissed = false }
    }
    return (position, .updated(id))
  }

  /// Makes sure that there is a native badge in which to set a value.
  ///
  /// - Parameters:
  ///   - id: The id of the badge.
  ///   - known: Where the badge is, if there is one.
  /// - Returns: Where it is, and whether it is new or was an app's.
  /// - Throws: `BadgeError.limitReached`.
  mutating func becomeNative(
    _ id: BadgeID,
    at known: Int?
  ) throws(BadgeError) -> (position: Int, isNew: Bool) {
    guard let position = known else {
      try checkNatives()
      return (storage.insert(storage.takeStyle(of: id)), true)
    }
    if storage[position].isPlaceholder {
      storage.change(at: position) { $0.isPlaceholder = false }
    }
    guard storage[position].origin != .native else { return (position, false) }
    try checkNatives()
    let isDismissed = storage.dismissal(of: id) != nil
    storage.change(at: position) { badge in
      badge.clearValue()
      badge.isDismissed = isDismissed
      badge.origin = .native
      badge.showsCount = true
    }
    return (position, true)
  }

  func checkNatives() throws(BadgeError) {
    guard storage.totals.natives < BadgeLimits.nativeBadges else {
      throw .limitReached("\(BadgeLimits.nativeBadges) native badges; remove one first")
    }
  }

  /// Checks that a badge of so many named sources may have so many more.
  func checkSources(growing count: Int, by more: Int) throws(BadgeError) {
    guard count + more <= BadgeLimits.sourcesPerBadge else {
      throw .limitReached(
        "\(BadgeLimits.sourcesPerBadge) named sources a badge; set one to 0 first"
      )
    }
    guard storage.totals.namedSources + more <= BadgeLimits.sources else {
      throw .limitReached("\(BadgeLimits.sources) named sources in all; set some to 0 first")
    }
  }
}

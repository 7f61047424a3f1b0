// SPDX-License-Identifier: MIT

extension BadgeBook {
  /// Sets the unnamed source to a number; creates the badge where there is none.
  ///
  /// - Throws: `BadgeError.invalidValue` for a number beyond the bounds, `BadgeError.limitReached`.
  public mutating func setCount(
    _ count: Int64,
    for id: BadgeID
  ) throws(BadgeError) -> Change {
    try set(.number(Self.checked(count)), for: id, at: table.position(of: id)).change
  }

  /// Sets the unnamed source to a text, or to the number that the text reads as; an empty text
  /// clears.
  ///
  /// - Throws: `BadgeError.invalidValue` for a text that is too long or holds a control character,
  ///   `BadgeError.limitReached`.
  public mutating func setText(_ text: String, for id: BadgeID) throws(BadgeError) -> Change {
    guard let value = try UnnamedValue.reading(text) else { return clear(id) }
    return try set(value, for: id, at: table.position(of: id)).change
  }

  /// Sets the unnamed source to a dot; creates the badge where there is none.
  ///
  /// - Throws: `BadgeError.limitReached`.
  public mutating func setDot(for id: BadgeID) throws(BadgeError) -> Change {
    try set(.dot, for: id, at: table.position(of: id)).change
  }

  /// Sets a source; creates the badge where there is none.
  ///
  /// 0 drops a named source; the empty name is the unnamed one.
  ///
  /// - Throws: `BadgeError.invalidValue` for a number beyond the bounds or a name that is none,
  ///   `BadgeError.limitReached`.
  public mutating func setSource(
    _ source: String,
    to count: Int64,
    for id: BadgeID
  ) throws(BadgeError) -> Change {
    let count = try Self.checked(count)
    let known = table.position(of: id)
    guard let name = try Self.name(source) else {
      return try set(.number(count), for: id, at: known).change
    }
    return try set(name, to: count, for: id, at: known).change
  }
}

extension BadgeBook {
  /// What setting a source led to, and where the badge is.
  typealias Outcome = (position: Int, change: Change)

  /// Sets the unnamed source; as news even if it is the value that was dismissed.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - id: Whose badge.
  ///   - known: Where the badge is, if there is one.
  ///   - isNews: Whether this ends a dismissal in any case.
  /// - Returns: What changed.
  /// - Throws: `BadgeError.limitReached`.
  mutating func set(
    _ value: UnnamedValue,
    for id: BadgeID,
    at known: Int?,
    isNews: Bool = false
  ) throws(BadgeError) -> Outcome {
    let (position, isNew) = try becomeNative(id, at: known)
    let endsDismissal = endDismissal(at: position) { isNews || $0.unnamed != value }
    guard isNew || endsDismissal || table.slots[position].badge.unnamed != value else {
      return (position, .none)
    }
    change(at: position) { $0.unnamed = value }
    noteUnsaved(at: position)
    return (position, .updated(id))
  }

  /// Sets a named source, as `set(_:for:at:isNews:)` does the unnamed one.
  mutating func set(
    _ name: SourceName,
    to count: Int64,
    for id: BadgeID,
    at known: Int?,
    isNews: Bool = false
  ) throws(BadgeError) -> Outcome {
    if count != 0 { try checkSource(name, at: known) }
    let (position, isNew) = try becomeNative(id, at: known)
    let endsDismissal = endDismissal(at: position) { isNews || $0.count(of: name) != count }
    guard isNew || endsDismissal || table.slots[position].badge.count(of: name) != count else {
      return (position, .none)
    }
    change(at: position) { $0.setCount(count, of: name) }
    noteUnsaved(at: position)
    return (position, .updated(id))
  }

  /// Makes sure that there is a badge on which a method may set a value.
  ///
  /// - Parameters:
  ///   - id: Whose badge.
  ///   - known: Where the badge is, if there is one.
  /// - Returns: Where it is, and whether it was not there, or an app's, before.
  /// - Throws: `BadgeError.limitReached`.
  mutating func becomeNative(
    _ id: BadgeID,
    at known: Int?
  ) throws(BadgeError) -> (position: Int, isNew: Bool) {
    guard let position = known else {
      try checkNatives()
      return (insert(takeLook(of: id)), true)
    }
    if table.slots[position].badge.isPlaceholder {
      change(at: position) { $0.isPlaceholder = false }
      noteUnsaved(at: position)
    }
    guard table.slots[position].badge.origin != .native else { return (position, false) }
    try checkNatives()
    let isDismissed = dismissals[id] != nil
    change(at: position) { badge in
      badge.clearValue()
      badge.isDismissed = isDismissed
      badge.origin = .native
      badge.showsCount = true
    }
    noteUnsaved(at: position)
    return (position, true)
  }

  func checkNatives() throws(BadgeError) {
    guard tally.natives < Limits.nativeBadges else {
      throw .limitReached("\(Limits.nativeBadges) native badges; remove one first")
    }
  }

  /// Checks that a badge of so many named sources may have so many more.
  func checkSources(growing count: Int, by more: Int) throws(BadgeError) {
    guard count + more <= Limits.sourcesPerBadge else {
      throw .limitReached("\(Limits.sourcesPerBadge) named sources a badge; set one to 0 first")
    }
    guard tally.namedSources + more <= Limits.sources else {
      throw .limitReached("\(Limits.sources) named sources in all; set some to 0 first")
    }
  }

  /// Checks that a badge may have a source, which is not zero.
  private func checkSource(_ name: SourceName, at known: Int?) throws(BadgeError) {
    guard let known else { return try checkSources(growing: 0, by: 1) }
    guard table.slots[known].badge.count(of: name) == 0 else { return }
    try checkSources(growing: table.slots[known].badge.namedSources.count, by: 1)
  }

  static func checked(_ count: Int64) throws(BadgeError) -> Int64 {
    guard Count.isValid(count) else {
      throw .invalidValue(
        key: BadgeKey.count.name,
        value: .integer(count),
        expected: BadgeKey.count.expected
      )
    }
    return count
  }

  /// The name of a source; `nil` for the unnamed one.
  static func name(_ source: String) throws(BadgeError) -> SourceName? {
    source.isEmpty ? nil : try SourceName(source, key: "source")
  }
}

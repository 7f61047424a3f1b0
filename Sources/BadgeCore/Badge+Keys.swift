// SPDX-License-Identifier: MIT

extension Badge {
  /// What a key reads.
  ///
  /// - Parameters:
  ///   - key: Any key.
  ///   - now: Nanoseconds of `CLOCK_BOOTTIME`, for `ttl`.
  ///   - quiet: Whether the person is not to be disturbed, for `visible`.
  /// - Returns: The value; `nil` for a key that can only be written.
  public func value(of key: BadgeKey, now: Int64, quiet: Bool) -> PropertyValue? {
    key.row.read?(self, KeyRow.Moment(now: now, isQuiet: quiet))
  }

  /// The readable keys whose value differs from what it was.
  ///
  /// `ttl` differs only when it was set or ended, not as the seconds pass.
  ///
  /// - Parameters:
  ///   - old: How the badge looked before; `nil` if there was none.
  ///   - wasQuiet: Whether it was quiet then.
  ///   - isQuiet: Whether it is now.
  /// - Returns: The keys; all that can be read for a new badge.
  public func changedKeys(from old: Badge?, wasQuiet: Bool, isQuiet: Bool) -> BadgeKeySet {
    guard let old else { return .readable }
    let hasSameDetails = hasSameDetails(as: old)
    var keys: BadgeKeySet = []
    if !hasSameDetails || unnamed != old.unnamed { insertChangedValues(from: old, into: &keys) }
    if isVisible(quiet: isQuiet) != old.isVisible(quiet: wasQuiet) { keys.insert(.visible) }
    if hidesAtZero != old.hidesAtZero { keys.insert(.hideAtZero) }
    if isUrgent != old.isUrgent { keys.insert(.urgent) }
    if isDismissable != old.isDismissable { keys.insert(.dismissable) }
    if isDismissed != old.isDismissed { keys.insert(.dismissed) }
    if origin != old.origin { keys.insert(.origin) }
    if !hasSameDetails { insertChangedDetails(from: old, into: &keys) }
    return keys
  }

  /// The keys that are worked out from all sources.
  private func insertChangedValues(from old: Badge, into keys: inout BadgeKeySet) {
    if kind != old.kind { keys.insert(.kind) }
    if count != old.count { keys.insert(.count) }
    if ExactString(text) != ExactString(old.text) { keys.insert(.text) }
    let named = namedSources
    if named != old.namedSources || !named.isEmpty && unnamedNumber != old.unnamedNumber {
      keys.insert(.sources)
    }
    if !hasSameLabel(as: old) { keys.insert(.label) }
  }

  /// The keys that are kept out of line, by their table.
  private func insertChangedDetails(from old: Badge, into keys: inout BadgeKeySet) {
    let moment = KeyRow.Moment(now: 0, isQuiet: false)
    for row in KeyRow.outOfLine {
      guard let read = row.read, read(old, moment) != read(self, moment) else { continue }
      keys.insert(row.key)
    }
    if deadline != old.deadline { keys.insert(.ttl) }
  }
}

extension KeyRow {
  /// The keys that can only differ between badges of different details, but for `ttl`.
  fileprivate static let outOfLine = table.filter {
    ![
      .kind, .count, .text, .sources, .label, .visible, .hideAtZero, .urgent, .dismissable,
      .dismissed, .origin, .ttl,
    ].contains($0.key)
  }
}

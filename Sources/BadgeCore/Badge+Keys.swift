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
    let before = KeyRow.Moment(now: 0, isQuiet: wasQuiet)
    let after = KeyRow.Moment(now: 0, isQuiet: isQuiet)
    for row in hasSameDetails ? KeyRow.inline : KeyRow.table where row.key != .ttl {
      guard let read = row.read, read(old, before) != read(self, after) else { continue }
      keys.insert(row.key)
    }
    if !hasSameDetails && deadline != old.deadline {
      keys.insert(.ttl)
    }
    return keys
  }
}

extension KeyRow {
  /// The keys that can differ between badges of the same details.
  fileprivate static let inline = table.filter {
    [
      .kind, .count, .text, .sources, .label, .visible, .hideAtZero, .urgent, .dismissable,
      .dismissed, .origin,
    ].contains($0.key)
  }
}

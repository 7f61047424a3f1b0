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
    key.row.value(of: self, KeyRow.Moment(now: now, isQuiet: quiet))
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
    var changed: BadgeKeySet = []
    if isVisible(quiet: isQuiet) != old.isVisible(quiet: wasQuiet) { changed.insert(.visible) }
    if isUrgent != old.isUrgent { changed.insert(.urgent) }
    if hidesAtZero != old.hidesAtZero { changed.insert(.hideAtZero) }
    if isDismissable != old.isDismissable { changed.insert(.dismissable) }
    if isDismissed != old.isDismissed { changed.insert(.dismissed) }
    if origin != old.origin { changed.insert(.origin) }
    // The frequent case, in which the other keys need no reading.
    let hasSameDetails = hasSameDetails(as: old)
    if hasSameDetails && unnamed == old.unnamed { return changed }
    if kind != old.kind { changed.insert(.kind) }
    if count != old.count { changed.insert(.count) }
    if !hasSameLabel(as: old) { changed.insert(.label) }
    if ExactString(text) != ExactString(old.text) { changed.insert(.text) }
    if hasSameDetails {
      if !namedSources.isEmpty && unnamedNumber != old.unnamedNumber { changed.insert(.sources) }
      return changed
    }
    if deadline != old.deadline { changed.insert(.ttl) }
    let moment = KeyRow.Moment(now: 0, isQuiet: false)
    for row in KeyRow.details where row.value(of: self, moment) != row.value(of: old, moment) {
      changed.insert(row.key)
    }
    return changed
  }
}

extension KeyRow {
  /// The keys that are stored out of line, but for `ttl`, which changes by itself.
  fileprivate static let details = table.filter { $0.isDetail && $0.key != .ttl }

  /// What the key reads.
  fileprivate func value(of badge: Badge, _ moment: Moment) -> PropertyValue? {
    isDetail && badge.isPlain ? defaultValue : read?(badge, moment)
  }
}

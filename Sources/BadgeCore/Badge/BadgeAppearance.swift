// SPDX-License-Identifier: MIT

/// A badge as subscribers see it, or last saw it.
public struct BadgeAppearance: Hashable, Sendable {
  /// The badge with all its keys.
  public let badge: Badge
  /// Whether Quiet was on, which hides every badge.
  public let isQuiet: Bool

  /// Makes the appearance of a badge while Quiet is on or off.
  public init(badge: Badge, isQuiet: Bool) {
    self.badge = badge
    self.isQuiet = isQuiet
  }

  /// Whether panels draw the badge.
  public var isVisible: Bool {
    badge.isVisible(quiet: isQuiet)
  }

  /// The readable keys whose value differs from an earlier appearance; all of them if there is none.
  ///
  /// `ttl` differs if it was set or ended, not as the seconds pass.
  public func changedKeys(from old: BadgeAppearance?) -> BadgeKeySet {
    guard let old else { return .readable }
    let (new, previous) = (badge, old.badge)
    var changed: BadgeKeySet = []
    if isVisible != old.isVisible { changed.insert(.visible) }
    if new.isUrgent != previous.isUrgent { changed.insert(.urgent) }
    if new.hidesAtZero != previous.hidesAtZero { changed.insert(.hideAtZero) }
    if new.isDismissable != previous.isDismissable { changed.insert(.dismissable) }
    if new.isDismissed != previous.isDismissed { changed.insert(.dismissed) }
    if new.origin != previous.origin { changed.insert(.origin) }
    // Mostly neither differs, and the other keys need not be compared.
    let hasSameDetails = new.hasSameDetails(as: previous)
    if hasSameDetails && new.unnamed == previous.unnamed { return changed }
    if new.kind != previous.kind { changed.insert(.kind) }
    if new.count != previous.count { changed.insert(.count) }
    if !new.hasSameLabel(as: previous) { changed.insert(.label) }
    if ExactString(new.text) != ExactString(previous.text) { changed.insert(.text) }
    if hasSameDetails {
      if !new.namedSources.isEmpty && new.unnamedNumber != previous.unnamedNumber {
        changed.insert(.sources)
      }
      return changed
    }
    if new.deadline != previous.deadline { changed.insert(.ttl) }
    for row in KeyRow.details where row.value(of: new) != row.value(of: previous) {
      changed.insert(row.key)
    }
    return changed
  }
}

// SPDX-License-Identifier: MIT

/// A badge as subscribers see it, or saw it last.
public struct Appearance: Hashable, Sendable {
  /// The badge.
  public let badge: Badge
  /// Whether nothing was shown because the person was not to be disturbed.
  public let isQuiet: Bool

  /// Makes an appearance.
  public init(badge: Badge, isQuiet: Bool) {
    self.badge = badge
    self.isQuiet = isQuiet
  }

  /// Whether the badge shows.
  public var isVisible: Bool {
    badge.isVisible(quiet: isQuiet)
  }

  /// The readable keys whose value differs from what it was; all of them for a new badge.
  public func changedKeys(from old: Appearance?) -> BadgeKeySet {
    badge.changedKeys(from: old?.badge, wasQuiet: old?.isQuiet ?? false, isQuiet: isQuiet)
  }
}

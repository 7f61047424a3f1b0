// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import LauncherEntry

extension OutwardState {
  /// What docks are to show for a badge; nil where it is none of theirs: an app's own, which docks
  /// hear themselves, or one of which there is nothing to say yet.
  ///
  /// A dot or a text is shown as presence, the number 1. Under do-not-disturb, and when a person
  /// dismissed the value, nothing of it shows.
  init?(_ badge: Badge, isQuiet: Bool) {
    guard badge.origin == .native,
      !badge.isPlaceholder || badge.progress != nil || badge.isUrgent
    else { return nil }
    let isSilent = isQuiet || badge.isDismissed
    self.init(
      count: badge.kind == .number ? badge.count : 1,
      isCountVisible: badge.isVisible(quiet: isQuiet),
      progress: isSilent ? nil : badge.progress,
      isUrgent: badge.isUrgent && !isSilent
    )
  }
}

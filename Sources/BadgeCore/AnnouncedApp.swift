// SPDX-License-Identifier: MIT

/// What is known of an app's own badge, whether it shows or lies under a native one.
struct AnnouncedApp: Hashable, Sendable {
  private(set) var announcement: Announcement
  /// Whether it wants attention and that was not acknowledged since it began to.
  var isUrgent: Bool
  /// What it announced last, unless somebody set it since.
  var progress: Double?
  /// Whether somebody removed the badge, so that it is gone until the app speaks again.
  var isRemoved = false

  init(_ announcement: Announcement) {
    self.announcement = announcement
    isUrgent = announcement.isUrgent
    progress = announcement.progress
  }

  init(_ announcement: Announcement, restoring state: AppState) {
    self.announcement = announcement
    isUrgent = state.isUrgent
    progress = state.progress.flatMap { (0...1).contains($0) ? $0 : nil }
    isRemoved = state.isRemoved
  }

  /// Takes what the app says now; urgency and progress only where it says something new.
  mutating func renew(_ new: Announcement) {
    if new.isUrgent != announcement.isUrgent { isUrgent = new.isUrgent }
    if new.progress != announcement.progress { progress = new.progress }
    announcement = new
  }

  /// What differs from the announcement itself, for the record.
  var state: AppState? {
    let plain = AnnouncedApp(announcement)
    guard self != plain else { return nil }
    return AppState(isUrgent: isUrgent, progress: progress, isRemoved: isRemoved)
  }
}

// SPDX-License-Identifier: MIT

extension BadgeBook {
  /// Takes what an app says of its own badge at present, from its newest living sender.
  ///
  /// It shows unless there is a native badge, a person dismissed this number, or somebody removed it
  /// and the app has not spoken since. A badge that has no value yet gives it its place and style.
  ///
  /// - Parameters:
  ///   - announcement: All that the app says; `nil` when no sender is left.
  ///   - id: Whose badge.
  ///   - renewed: Whether the app spoke, and not only one of its senders took another's place, or the
  ///     daemon was restarted.
  /// - Returns: What changed.
  /// - Throws: `BadgeError.limitReached` for an app that is new.
  public mutating func announce(
    _ announcement: Announcement?,
    for id: BadgeID,
    renewed: Bool = true
  ) throws(BadgeError) -> Change {
    guard let announcement else { return retract(id) }
    guard apps[id] != nil || apps.count < Limits.announcedBadges else {
      throw .limitReached("\(Limits.announcedBadges) badges announced by apps")
    }
    take(announcement, for: id, renewed: renewed)
    if let number = dismissals[id]?.app, number != announcement.count {
      changeDismissal(of: id) { $0.app = nil }
    }
    return show(id)
  }

  /// What an app says of its own badge at present, whether it shows or not.
  public func announcement(for id: BadgeID) -> Announcement? {
    apps[id]?.announcement
  }

  /// The apps whose badges somebody removed, and that have not spoken since.
  public var removedApps: [BadgeID] {
    apps.filter(\.value.isRemoved).map(\.key)
  }

  /// Forgets what was restored of apps that have not announced anything since the restart.
  public mutating func forgetUnannounced() {
    for id in restoredApps.keys { noteUnsaved(id) }
    restoredApps = [:]
  }

  private mutating func take(_ announcement: Announcement, for id: BadgeID, renewed: Bool) {
    let before = apps[id]?.state ?? restoredApps[id]
    var app =
      if let known = apps[id] {
        known
      } else if let state = restoredApps.removeValue(forKey: id) {
        AnnouncedApp(announcement, restoring: state)
      } else {
        AnnouncedApp(announcement)
      }
    app.renew(announcement)
    if renewed { app.isRemoved = false }
    apps[id] = app
    if app.state != before { noteUnsaved(id) }
  }

  private mutating func retract(_ id: BadgeID) -> Change {
    if apps.removeValue(forKey: id)?.state != nil { noteUnsaved(id) }
    if restoredApps.removeValue(forKey: id) != nil { noteUnsaved(id) }
    guard let position = table.position(of: id) else { return .none }
    let badge = table.slots[position].badge
    guard badge.origin == .launcherEntry else { return .none }
    delete(at: position)
    keep(badge.look)
    return .removed(id, .ownerGone)
  }

  /// Shows an app's badge where nothing keeps it from showing.
  private mutating func show(_ id: BadgeID) -> Change {
    guard let position = table.position(of: id) else {
      guard isShown(id) else { return .none }
      guard let badge = appBadge(of: id, look: takeLook(of: id)) else { return .none }
      _ = insert(badge)
      return .updated(id)
    }
    let before = table.slots[position].badge
    guard before.origin == .launcherEntry || before.isPlaceholder else { return .none }
    guard let after = appBadge(of: id, look: before), after != before else { return .none }
    change(at: position) { $0 = after }
    noteUnsaved(at: position)
    return .updated(id)
  }

  private func isShown(_ id: BadgeID) -> Bool {
    guard let app = apps[id] else { return false }
    return !app.isRemoved && dismissals[id]?.app == nil
  }

  /// The badge of an app in the style of another; `nil` where it may not show.
  func appBadge(of id: BadgeID, look: Badge) -> Badge? {
    guard let app = apps[id], isShown(id) else { return nil }
    var badge = look
    badge.unnamed = .number(app.announcement.count)
    badge.origin = .launcherEntry
    badge.isPlaceholder = false
    badge.isDismissed = false
    badge.showsCount = app.announcement.isCountVisible
    badge.isUrgent = app.isUrgent
    badge.progress = app.progress
    return badge
  }
}

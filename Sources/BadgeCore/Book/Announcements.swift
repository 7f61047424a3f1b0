// SPDX-License-Identifier: MIT

extension BadgeBook {
  /// Applies what the newest living sender of an app announces of its badge.
  ///
  /// The badge is present unless a native one covers it, a person dismissed this number, or it was
  /// removed and not announced again. A badge without a value is replaced, and its style is kept.
  ///
  /// - Parameters:
  ///   - announcement: All that is announced; `nil` if no sender is left.
  ///   - id: The id of the badge.
  ///   - renewed: Whether the app sent this now. False if another sender took over, or the daemon was
  ///     restarted.
  /// - Returns: What changed.
  /// - Throws: `BadgeError.limitReached` for a new app.
  public mutating func announce(
    _ announcement: AppAnnouncement?,
    for id: BadgeID,
    renewed: Bool = true
  ) throws(BadgeError) -> BadgeChange {
    guard let announcement else { return retract(id) }
    let known = storage.app(of: id)
    guard known != nil || storage.appCount < BadgeLimits.announcedBadges else {
      throw .limitReached("\(BadgeLimits.announcedBadges) badges announced by apps")
    }
    var app = known ?? AnnouncedApp(announcement, restoring: storage.appState(of: id))
    app.update(announcement)
    if renewed { app.isRemoved = false }
    storage.setApp(app, of: id)
    if let number = storage.dismissal(of: id)?.app, number != announcement.shownCount {
      storage.changeDismissal(of: id) { $0.app = nil }
    }
    return show(id)
  }

  /// What an app announces at present, even if its badge is covered, dismissed or removed.
  public func announcement(for id: BadgeID) -> AppAnnouncement? {
    storage.app(of: id)?.announcement
  }

  /// The apps whose badge was removed and that have not announced it again.
  public var removedApps: [BadgeID] { storage.removedApps }

  /// Forgets the restored state of apps that have not announced anything since the restart.
  public mutating func forgetUnannounced() {
    storage.forgetRestoredApps()
  }

  private mutating func retract(_ id: BadgeID) -> BadgeChange {
    storage.setApp(nil, of: id)
    guard let position = storage.position(of: id), storage[position].origin == .launcherEntry else {
      return .none
    }
    storage.keepStyle(storage.delete(at: position).styleOnly)
    return .removed(id, .ownerGone)
  }

  /// Inserts or updates an app's badge unless something prevents it.
  private mutating func show(_ id: BadgeID) -> BadgeChange {
    guard let app = presentableApp(of: id) else { return .none }
    guard let position = storage.position(of: id) else {
      storage.insert(app.badge(styled: storage.takeStyle(of: id)))
      return .updated(id)
    }
    let before = storage[position]
    guard before.origin == .launcherEntry || before.isPlaceholder else { return .none }
    let after = app.badge(styled: before)
    guard after != before else { return .none }
    storage.change(at: position) { $0 = after }
    return .updated(id)
  }

  /// The app of an id, unless its badge was removed or dismissed.
  func presentableApp(of id: BadgeID) -> AnnouncedApp? {
    guard let app = storage.app(of: id), !app.isRemoved, storage.dismissal(of: id)?.app == nil
    else { return nil }
    return app
  }
}

/// An app that announces a badge, present or not.
struct AnnouncedApp: Hashable, Sendable {
  private(set) var announcement: AppAnnouncement
  /// Whether it wants attention and was not acknowledged.
  var isUrgent: Bool
  /// The announced progress, or what a caller has set since.
  var progress: Double?
  /// Whether its badge was removed and not announced again.
  var isRemoved = false

  init(_ announcement: AppAnnouncement, restoring state: BadgeRecord.App? = nil) {
    self.announcement = announcement
    isUrgent = announcement.wantsAttention
    progress = announcement.shownProgress
    guard let state else { return }
    isUrgent = state.isUrgent
    progress = state.progress.flatMap { (0...1).contains($0) ? $0 : nil }
    isRemoved = state.isRemoved
  }

  /// Takes an announcement; urgency and progress only if they differ from those of the last one.
  mutating func update(_ new: AppAnnouncement) {
    if new.wantsAttention != announcement.wantsAttention { isUrgent = new.wantsAttention }
    if new.shownProgress != announcement.shownProgress { progress = new.shownProgress }
    announcement = new
  }

  /// What differs from the announcement and must be saved.
  var state: BadgeRecord.App? {
    guard self != AnnouncedApp(announcement) else { return nil }
    return BadgeRecord.App(isUrgent: isUrgent, progress: progress, isRemoved: isRemoved)
  }

  /// The app's badge with the style and policy of another.
  func badge(styled style: Badge) -> Badge {
    var badge = style
    badge.unnamed = .number(announcement.shownCount)
    badge.origin = .launcherEntry
    badge.isPlaceholder = false
    badge.isDismissed = false
    badge.showsCount = announcement.isCountShown
    badge.isUrgent = isUrgent
    badge.progress = progress
    return badge
  }
}

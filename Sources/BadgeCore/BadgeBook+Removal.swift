// SPDX-License-Identifier: MIT

extension BadgeBook {
  /// Makes the value number 0 and ends named sources, urgency and progress; style stays.
  ///
  /// An app's badge goes until the app announces it again. Without a badge this does nothing, but a
  /// value that was dismissed and was not 0 is forgotten, since it is not the present one any more.
  public mutating func clear(_ id: BadgeID) -> Change {
    guard let position = table.position(of: id) else {
      if let value = dismissals[id]?.native, !value.isCleared {
        changeDismissal(of: id) { $0.native = nil }
      }
      return .none
    }
    let badge = table.slots[position].badge
    if badge.origin == .launcherEntry {
      apps[id]?.isRemoved = true
      delete(at: position)
      keep(badge.look)
      return .removed(id, .removed)
    }
    let endsDismissal = endDismissal(at: position) { !$0.isCleared }
    let isCleared = DismissedValue(of: badge).isCleared && !badge.isUrgent && badge.progress == nil
    guard endsDismissal || !isCleared else { return .none }
    change(at: position) { $0.clearValue() }
    noteUnsaved(at: position)
    return .updated(id)
  }

  /// Forgets the badge, its style and its dismissal.
  ///
  /// What an app announces under a native badge shows then; an app's badge is gone until the app
  /// announces it again.
  ///
  /// - Throws: `BadgeError.noSuchBadge`.
  public mutating func remove(_ id: BadgeID) throws(BadgeError) -> Change {
    guard let position = table.position(of: id) else { throw .noSuchBadge(id) }
    dismissals.forget(id)
    return end(at: position, .removed)
  }

  /// Forgets all badges, styles and dismissals, also those of apps until they announce them again.
  ///
  /// - Returns: How many badges there were, and what changed.
  public mutating func removeAll() -> (count: Int, change: Change) {
    let ids = badges.map(\.id)
    for id in ids { noteUnsaved(id) }
    for id in dismissals.ids { noteUnsaved(id) }
    for id in looks.ids { noteUnsaved(id) }
    for id in apps.keys {
      noteUnsaved(id)
      apps[id]?.isRemoved = true
    }
    for id in restoredApps.keys {
      noteUnsaved(id)
      restoredApps[id]?.isRemoved = true
    }
    table.removeAll()
    tally = Tally()
    dismissals = DismissalMemory()
    looks = AgedTable()
    deadlines = DeadlineQueue()
    owners = OwnerTable()
    return (ids.count, Change(ids.map { .removed($0, .clearedAll) }))
  }

  /// Ends a badge and forgets its style; an app's badge under it shows then.
  mutating func end(at position: Int, _ reason: RemovalReason) -> Change {
    let badge = table.slots[position].badge
    let id = badge.id
    guard badge.origin == .native else {
      apps[id]?.isRemoved = true
      delete(at: position)
      return .removed(id, reason)
    }
    delete(at: position)
    guard let shown = appBadge(of: id, look: Badge(id: id)) else {
      // What was dismissed stays dismissed when time or a process takes it, with its style.
      if dismissals[id] != nil { keep(badge.look) }
      return .removed(id, reason)
    }
    _ = insert(shown)
    return .updated(id)
  }
}

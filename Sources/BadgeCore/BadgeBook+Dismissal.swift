// SPDX-License-Identifier: MIT

extension BadgeBook {
  /// Takes a badge away for a person.
  ///
  /// The value of each source is remembered, so that the same value set again stays hidden. Style
  /// and policy are kept; urgency, progress, `ttl` and `while-pid` end.
  ///
  /// - Throws: `BadgeError.noSuchBadge`, `BadgeError.notDismissable`.
  public mutating func dismiss(_ id: BadgeID) throws(BadgeError) -> Change {
    guard let position = table.position(of: id) else { throw .noSuchBadge(id) }
    let badge = table.slots[position].badge
    guard badge.isDismissable else { throw .notDismissable(id) }
    var dismissal = dismissals[id] ?? Dismissal()
    if badge.origin == .native {
      dismissal.native = DismissedValue(of: badge).completed(by: dismissal.native)
    }
    if let app = apps[id], !app.isRemoved {
      dismissal.app = app.announcement.count
    }
    apps[id]?.isUrgent = false
    apps[id]?.progress = nil
    delete(at: position)
    let look = badge.look
    dismissal.look = look.isDefault ? nil : look
    for forgotten in dismissals.insert(dismissal, for: id) {
      noteUnsaved(forgotten)
    }
    return .removed(id, .dismissed)
  }

  /// Ends urgency; without a badge this does nothing.
  public mutating func acknowledge(_ id: BadgeID) -> Change {
    guard let position = table.position(of: id) else { return .none }
    if apps[id]?.isUrgent == true {
      apps[id]?.isUrgent = false
      noteUnsaved(at: position)
    }
    guard table.slots[position].badge.isUrgent else { return .none }
    change(at: position) { $0.isUrgent = false }
    noteUnsaved(at: position)
    return .updated(id)
  }

  /// Ends the dismissal of a badge that is there and hidden by it, if a value that is being set
  /// differs from what was dismissed.
  ///
  /// - Returns: Whether the badge was dismissed and is no more.
  mutating func endDismissal(
    at position: Int,
    if differs: (DismissedValue) -> Bool
  ) -> Bool {
    guard table.slots[position].badge.isDismissed else { return false }
    let id = table.slots[position].badge.id
    if let dismissal = dismissals[id] {
      if let value = dismissal.native, !differs(value) { return false }
      changeDismissal(of: id) { $0.native = nil }
    } else if !differs(DismissedValue(of: table.slots[position].badge)) {
      // The dismissal was forgotten for newer ones: what the badge holds now is what is left of it.
      return false
    }
    change(at: position) { $0.isDismissed = false }
    return true
  }

  /// Changes what is remembered of a dismissal; the style that was kept with it stays when it is
  /// over.
  mutating func changeDismissal(of id: BadgeID, _ body: (inout Dismissal) -> Void) {
    noteUnsaved(id)
    guard let look = dismissals.change(id, body) else { return }
    keep(look)
  }

  /// Keeps style and policy for an id that has no badge.
  mutating func keep(_ look: Badge, age: UInt64? = nil) {
    noteUnsaved(look.id)
    guard !look.isDefault else { return }
    guard dismissals[look.id] == nil else {
      _ = dismissals.change(look.id) { $0.look = look }
      return
    }
    looks.insert(look, for: look.id, age: age)
    while looks.count > Limits.keptLooks, let oldest = looks.removeOldest() {
      noteUnsaved(oldest.id)
    }
  }

  /// A badge at number 0 with the style and policy that were kept for its id, which are kept no
  /// longer; dismissed, as long as nothing else is set.
  mutating func takeLook(of id: BadgeID) -> Badge {
    var badge = looks.remove(id) ?? Badge(id: id)
    guard let dismissal = dismissals[id] else { return badge }
    if let look = dismissal.look {
      badge = look
      _ = dismissals.change(id) { $0.look = nil }
    }
    badge.isDismissed = true
    return badge
  }
}

// SPDX-License-Identifier: MIT

extension BadgeBook {
  /// Makes the value number 0, and ends named sources, urgency and progress; style and policy stay.
  ///
  /// An app's badge is removed until the app announces it again. If there is no badge, a dismissed
  /// value other than 0 is forgotten, so that it is visible when it is set again.
  public mutating func clear(_ id: BadgeID) -> BadgeChange {
    guard let position = storage.position(of: id) else {
      if let value = storage.dismissal(of: id)?.native, !value.isCleared {
        storage.changeDismissal(of: id) { $0.native = nil }
      }
      return .none
    }
    guard storage[position].origin == .native else {
      storage.changeApp(of: id) { $0.isRemoved = true }
      storage.keepStyle(storage.delete(at: position).styleOnly)
      return .removed(id, .removed)
    }
    let endsDismissal = endDismissal(of: storage[position]) { !$0.isCleared }
    guard endsDismissal || !storage[position].isCleared else { return .none }
    storage.change(at: position) { badge in
      badge.clearValue()
      if endsDismissal { badge.isDismissed = false }
    }
    return .updated(id)
  }

  /// Removes a badge with its style and its dismissal.
  ///
  /// If an app announces a badge under a native one, that appears. An app's own badge is removed until
  /// the app announces it again.
  ///
  /// - Throws: `BadgeError.noSuchBadge`.
  public mutating func remove(_ id: BadgeID) throws(BadgeError) -> BadgeChange {
    guard let position = storage.position(of: id) else { throw .noSuchBadge(id) }
    storage.forgetDismissal(of: id)
    return end(at: position, .removed)
  }

  /// Removes all badges, styles and dismissals, and apps' badges until they are announced again.
  ///
  /// - Returns: How many badges there were, and what changed.
  public mutating func removeAll() -> (count: Int, change: BadgeChange) {
    let ids = badges.map(\.id)
    storage.removeAll()
    return (ids.count, BadgeChange(ids.map { .removed($0, .clearedAll) }))
  }

  /// The earliest deadline, in nanoseconds of `CLOCK_BOOTTIME`; `nil` if no badge has one.
  public var nextDeadline: Int64? { storage.nextDeadline?.deadline }

  /// Removes the badges whose deadline has passed.
  ///
  /// - Parameter now: Nanoseconds of `CLOCK_BOOTTIME`.
  /// - Returns: What changed.
  public mutating func expire(now: Int64) -> BadgeChange {
    var changes: [BadgeChange] = []
    while let next = storage.nextDeadline, next.deadline <= now,
      let position = storage.position(of: next.id)
    {
      changes.append(end(at: position, .expired))
    }
    return BadgeChange(changes)
  }

  /// The processes that badges live with; any mutation can change them.
  public var watchedProcesses: [OwnerProcess] { Array(storage.watchedProcesses) }

  /// Removes the badges that lived with a process.
  public mutating func processEnded(_ owner: OwnerProcess) -> BadgeChange {
    var changes: [BadgeChange] = []
    for id in storage.ids(of: owner) {
      guard let position = storage.position(of: id) else { continue }
      changes.append(end(at: position, .ownerGone))
    }
    return BadgeChange(changes)
  }

  /// Removes a badge and its style; an app's badge under it appears.
  private mutating func end(at position: Int, _ reason: RemovalReason) -> BadgeChange {
    let badge = storage.delete(at: position)
    let id = badge.id
    guard badge.origin == .native else {
      storage.changeApp(of: id) { $0.isRemoved = true }
      return .removed(id, reason)
    }
    if let app = presentableApp(of: id) {
      storage.insert(app.badge(styled: Badge(id: id)))
      return .updated(id)
    }
    // A dismissal outlives the badge, with the style for its return.
    if storage.dismissal(of: id) != nil { storage.keepStyle(badge.styleOnly) }
    return .removed(id, reason)
  }
}

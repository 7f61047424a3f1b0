// SPDX-License-Identifier: MIT

extension BadgeBook {
  /// Applies checked changes, all or none; creates the badge where there is none.
  ///
  /// An update that sets no value makes a badge at number 0 that an app's announcement may take the
  /// place of; one that does nothing but clear makes none.
  ///
  /// - Parameters:
  ///   - id: Whose badge.
  ///   - update: The changes.
  ///   - now: Nanoseconds of `CLOCK_BOOTTIME`, from which `ttl` runs.
  ///   - startTime: When the process of `while-pid` was started, to tell it from a later one.
  /// - Returns: What changed.
  /// - Throws: `BadgeError.limitReached`.
  public mutating func update(
    _ id: BadgeID,
    with update: BadgeUpdate,
    now: Int64,
    startTime: UInt64 = 0
  ) throws(BadgeError) -> Change {
    if update.onlyClears { return clear(id) }
    let owner = update.watchedProcess.map { OwnerProcess(processID: $0, startTime: startTime) }
    try checkSources(of: update, for: id)
    try checkOwner(owner)
    let (position, isNew) = try position(for: id, native: update.setsValue)
    let before = table.slots[position].badge
    let clearsApp = before.origin == .launcherEntry && update.unnamed == .clear
    apply(update, at: position)
    followApp(at: position)
    if let ttl = update.ttl {
      setDeadline(ttl > 0 ? Self.deadline(after: ttl, from: now) : nil, at: position)
    }
    if update.processID != nil {
      setOwner(owner, at: position)
    }
    if clearsApp { return clear(id) }
    guard isNew || table.slots[position].badge != before else { return .none }
    noteUnsaved(at: position)
    return .updated(id)
  }

  private mutating func position(
    for id: BadgeID,
    native: Bool
  ) throws(BadgeError) -> (position: Int, isNew: Bool) {
    let known = table.position(of: id)
    if native { return try becomeNative(id, at: known) }
    if let known { return (known, false) }
    try checkNatives()
    var badge = takeLook(of: id)
    badge.isPlaceholder = true
    return (insert(badge), true)
  }

  private mutating func apply(_ update: BadgeUpdate, at position: Int) {
    switch update.unnamed {
    case .set(let value):
      _ = endDismissal(at: position) { $0.unnamed != value }
    case .clear:
      _ = endDismissal(at: position) { !$0.isCleared }
    case nil:
      break
    }
    if !update.sources.isEmpty {
      _ = endDismissal(at: position) { dismissed in
        update.sources.contains { dismissed.count(of: $0.name) != $0.count }
      }
    }
    change(at: position) { badge in
      if case .set(let value) = update.unnamed { badge.unnamed = value }
      if update.unnamed == .clear { badge.clearValue() }
      for source in update.sources { badge.setCount(source.count, of: source.name) }
      if let preset = update.preset { badge.style = preset.style }
      badge.apply(update.settings)
    }
  }

  private func checkSources(of update: BadgeUpdate, for id: BadgeID) throws(BadgeError) {
    guard !update.sources.isEmpty else { return }
    var badge = self[id] ?? Badge(id: id)
    let before = badge.namedSources.count
    for source in update.sources {
      badge.setCount(source.count, of: source.name)
    }
    let more = badge.namedSources.count - before
    guard more > 0 else { return }
    try checkSources(growing: before, by: more)
  }

  /// An app's badge keeps urgency and progress that somebody set, also while a native one covers it.
  private mutating func followApp(at position: Int) {
    let badge = table.slots[position].badge
    guard badge.origin == .launcherEntry else { return }
    apps[badge.id]?.isUrgent = badge.isUrgent
    apps[badge.id]?.progress = badge.progress
  }
}

extension Badge {
  /// Sets what the settings say; those that do not fit their key are left out.
  mutating func apply(_ settings: [BadgeSetting]) {
    for setting in settings {
      _ = setting.key.row.write?(&self, setting.value)
    }
  }
}

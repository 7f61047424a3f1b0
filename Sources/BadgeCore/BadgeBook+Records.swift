// SPDX-License-Identifier: MIT

extension BadgeBook {
  /// Restores a book; what is not restored is left out, and said.
  ///
  /// - Parameters:
  ///   - records: What `record(for:)` gave, of distinct ids, with deadlines of the present boot. What
  ///     is beyond a bound or holds what no key takes is data that can be wrong: it is brought into
  ///     range or left out.
  ///   - onRejected: Called with the id of each record that was left out.
  public init(
    records: some Sequence<BadgeRecord>,
    onRejected: (BadgeID) -> Void = { _ in }
  ) {
    self.init()
    var oldestFirst: [BadgeRecord] = []
    var ageless: [BadgeRecord] = []
    for record in records {
      if record.age == nil { ageless.append(record) } else { oldestFirst.append(record) }
    }
    if oldestFirst.count > 1 { oldestFirst.sort { ($0.age ?? .max) < ($1.age ?? .max) } }
    oldestFirst += ageless
    table.reserveCapacity(oldestFirst.count)
    for record in oldestFirst where !restore(record) {
      onRejected(record.id)
    }
    markSaved()
    // The style of an app's badge that was there is kept from now on, until the app is back.
    for record in oldestFirst where looks.age(of: record.id) != record.keptAge {
      noteUnsaved(record.id)
    }
  }

  /// Everything about an id that must survive a restart; `nil` when there is nothing to keep.
  public func record(for id: BadgeID) -> BadgeRecord? {
    var record = BadgeRecord(id: id)
    let present = self[id]
    if let badge = present, badge.origin == .native {
      record.native = NativeState(badge)
    }
    if let dismissal = dismissals[id] {
      record.dismissal = DismissalState(
        age: dismissals.age(of: id) ?? 0,
        native: dismissal.native,
        app: dismissal.app
      )
    }
    record.app = apps[id]?.state ?? restoredApps[id]
    if present == nil, looks[id] != nil {
      record.keptAge = looks.age(of: id)
    }
    if let look = present ?? dismissals[id]?.look ?? looks[id] {
      record.settings = look.settings
      record.deadline = look.deadline
      record.owner = look.owner
    }
    return record.isEmpty ? nil : record
  }

  /// The ids of which there is a record.
  public var recordedIDs: Set<BadgeID> {
    Set(badges.map(\.id)).union(dismissals.ids).union(looks.ids).union(apps.keys)
      .union(restoredApps.keys)
  }

  private mutating func restore(_ record: BadgeRecord) -> Bool {
    guard table.position(of: record.id) == nil else { return false }
    var badge = Badge(id: record.id)
    badge.apply(record.settings)
    badge.deadline = record.deadline
    badge.owner = record.owner
    if let native = record.native {
      guard tally.natives < Limits.nativeBadges, badge.restore(native),
        tally.namedSources + badge.namedSources.count <= Limits.sources
      else { return false }
      _ = insert(badge)
    }
    if let dismissal = record.dismissal.map(Dismissal.init(restoring:)), !dismissal.isOver {
      _ = dismissals.insert(dismissal, for: record.id, age: record.dismissal?.age)
    }
    if let app = record.app, restoredApps.count < Limits.announcedBadges {
      restoredApps[record.id] = app
    }
    if record.native == nil {
      keep(badge, age: record.keptAge)
    }
    return true
  }
}

extension NativeState {
  fileprivate init(_ badge: Badge) {
    self.init(
      unnamed: badge.unnamed,
      sources: badge.namedSources,
      isPlaceholder: badge.isPlaceholder,
      isUrgent: badge.isUrgent,
      isDismissed: badge.isDismissed,
      progress: badge.progress
    )
  }
}

extension BadgeRecord {
  /// When what is remembered was put away.
  fileprivate var age: UInt64? { dismissal?.age ?? keptAge }
}

extension Dismissal {
  fileprivate init(restoring state: DismissalState) {
    native = state.native.map {
      DismissedValue(unnamed: $0.unnamed, sources: Array($0.sources.prefix(Limits.sourcesPerBadge)))
    }
    app = state.app
  }
}

extension Badge {
  /// Style and policy: the keys that are not at their defaults.
  fileprivate var settings: [BadgeSetting] {
    guard !isPlain || !hidesAtZero || !isDismissable else { return [] }
    let moment = KeyRow.Moment(now: 0, isQuiet: false)
    return KeyRow.table.compactMap { row in
      guard row.isLook, let value = row.read?(self, moment), value != row.defaultValue else {
        return nil
      }
      return BadgeSetting(key: row.key, value: value)
    }
  }

  /// Takes the state of a native badge; gives false where it is none that a book could have had.
  fileprivate mutating func restore(_ native: NativeState) -> Bool {
    guard native.sources.count <= Limits.sourcesPerBadge else { return false }
    unnamed = native.unnamed.restored
    isPlaceholder = native.isPlaceholder
    isUrgent = native.isUrgent
    isDismissed = native.isDismissed
    progress = native.progress.flatMap { (0...1).contains($0) ? $0 : nil }
    for source in native.sources {
      setCount(Count.saturated(source.count), of: source.name)
    }
    return true
  }
}

extension UnnamedValue {
  /// The value, brought into the bounds.
  fileprivate var restored: UnnamedValue {
    guard case .number(let number) = self else { return self }
    return .number(Count.saturated(number))
  }
}

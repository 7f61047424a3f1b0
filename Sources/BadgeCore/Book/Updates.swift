// SPDX-License-Identifier: MIT

extension BadgeBook {
  /// Applies checked changes, and creates the badge if there is none.
  ///
  /// Without a value, the new badge is number 0 and may be replaced by an app's announcement. An
  /// update that does nothing but clear creates no badge.
  ///
  /// - Parameters:
  ///   - id: The id of the badge.
  ///   - update: The changes.
  ///   - now: Nanoseconds of `CLOCK_BOOTTIME`, from which `ttl` counts.
  ///   - startTime: The start time of the process of `while-pid`.
  /// - Returns: What changed.
  /// - Throws: `BadgeError.limitReached`.
  public mutating func update(
    _ id: BadgeID,
    with update: BadgeUpdate,
    now: Int64,
    startTime: UInt64 = 0
  ) throws(BadgeError) -> BadgeChange {
    if update.onlyClears { return clear(id) }
    let owner = update.watchedProcess.map { OwnerProcess(processID: $0, startTime: startTime) }
    try checkSources(of: update, for: id)
    try checkOwner(owner)
    let (position, isNew) = try position(for: id, native: update.setsValue)
    let before = storage[position]
    var badge = before
    apply(update, to: &badge)
    if let ttl = update.ttl {
      badge.deadline = ttl > 0 ? Self.deadline(after: ttl, from: now) : nil
    }
    if update.processID != nil { badge.owner = owner }
    let isChanged = isNew || badge != before
    if isChanged { storage.change(at: position) { $0 = badge } }
    if badge.origin == .launcherEntry {
      // The app keeps urgency and progress that were set, also while a native badge covers its own.
      storage.changeApp(of: id) { app in
        app.isUrgent = badge.isUrgent
        app.progress = badge.progress
      }
      if update.unnamed == .clear { return clear(id) }
    }
    return isChanged ? .updated(id) : .none
  }

  private mutating func position(
    for id: BadgeID,
    native: Bool
  ) throws(BadgeError) -> (position: Int, isNew: Bool) {
    let known = storage.position(of: id)
    if native { return try becomeNative(id, at: known) }
    if let known { return (known, false) }
    try checkNatives()
    var badge = storage.takeStyle(of: id)
    badge.isPlaceholder = true
    return (storage.insert(badge), true)
  }

  private mutating func apply(_ update: BadgeUpdate, to badge: inout Badge) {
    let endsByUnnamed =
      switch update.unnamed {
      case .set(let value): endDismissal(of: badge) { $0.unnamed != value }
      case .clear: endDismissal(of: badge) { !$0.isCleared }
      case nil: false
      }
    let endsBySources =
      !endsByUnnamed && !update.sources.isEmpty
      && endDismissal(of: badge) { dismissed in
        update.sources.contains { dismissed.count(of: $0.name) != $0.count }
      }
    if endsByUnnamed || endsBySources { badge.isDismissed = false }
    if case .set(let value) = update.unnamed { badge.unnamed = value }
    if update.unnamed == .clear { badge.clearValue() }
    for source in update.sources { badge.setCount(source.count, of: source.name) }
    if let preset = update.preset { badge.style = preset.style }
    badge.apply(update.settings)
  }

  private func checkSources(of update: BadgeUpdate, for id: BadgeID) throws(BadgeError) {
    guard !update.sources.isEmpty else { return }
    var badge = self[id] ?? Badge(id: id)
    let before = badge.namedSources.count
    for source in update.sources { badge.setCount(source.count, of: source.name) }
    let more = badge.namedSources.count - before
    if more > 0 { try checkSources(growing: before, by: more) }
  }

  private func checkOwner(_ owner: OwnerProcess?) throws(BadgeError) {
    guard let owner else { return }
    let watched = storage.watchedProcesses
    guard watched.contains(owner) || watched.count < BadgeLimits.watchedProcesses else {
      throw .limitReached("\(BadgeLimits.watchedProcesses) processes that badges live with")
    }
  }

  /// A time after `now`, at least by a nanosecond and at most the largest there is.
  private static func deadline(after seconds: Double, from now: Int64) -> Int64 {
    let nanoseconds = max(1, seconds * 1e9 + 0.5)
    guard nanoseconds < Double(Int64.max - max(now, 0)) else { return .max }
    return now + Int64(nanoseconds)
  }
}

extension Badge {
  /// Applies settings; those that do not fit their key have no effect.
  mutating func apply(_ settings: [BadgeSetting]) {
    for setting in settings { _ = setting.key.row.write?(&self, setting.value) }
  }
}

/// Checked changes of one badge, which are applied all or none.
public struct BadgeUpdate: Hashable, Sendable {
  enum ValueChange: Hashable, Sendable {
    case set(UnnamedValue)
    /// Caused by an empty text.
    case clear
  }

  /// What happens to the unnamed source by `count`, `text`, `kind` or `sources`.
  private(set) var unnamed: ValueChange?
  /// The named sources to set, in the order given; 0 removes one.
  private(set) var sources: [SourceCount] = []
  private(set) var preset: BadgePreset?
  /// The keys that are merely stored.
  private(set) var settings: [BadgeSetting] = []
  /// Seconds until it expires; 0 for never.
  private(set) var ttl: Double?
  /// The process to live with; 0 for none.
  private(set) var processID: UInt32?

  /// Checks changes against the key table.
  ///
  /// - Parameter changes: Names of keys, and their values.
  /// - Throws: `BadgeError.invalidKey` for a key that is unknown, read only, repeated or excluded by
  ///   another; `BadgeError.invalidValue` for a value that a key does not take;
  ///   `BadgeError.limitReached` for too many sources.
  public init(_ changes: some Sequence<(String, PropertyValue)>) throws(BadgeError) {
    var seen: BadgeKeySet = []
    for (name, value) in changes {
      guard let key = BadgeKey(name: name) else {
        throw .unknownKey(name, among: BadgeKey.writable)
      }
      guard key.isWritable else {
        throw .readOnlyKey(name)
      }
      guard !seen.contains(key) else {
        throw .invalidKey(name, reason: "is given twice")
      }
      seen.insert(key)
      try add(key, value)
    }
  }

  /// Checks the change of one key.
  ///
  /// - Throws: As `init(_:)` does.
  public init(_ name: String, _ value: PropertyValue) throws(BadgeError) {
    try self.init(CollectionOfOne((name, value)))
  }

  /// Whether it sets a value, which makes a badge native; clearing does not.
  var setsValue: Bool {
    if case .set = unnamed { return true }
    return !sources.isEmpty
  }

  /// The process that the badge is to live with; `nil` if none is given or the watch ends.
  public var watchedProcess: UInt32? {
    processID == 0 ? nil : processID
  }

  /// Whether an empty text is all there is; such an update creates no badge.
  var onlyClears: Bool {
    unnamed == .clear && preset == nil && settings.isEmpty && ttl == nil && processID == nil
      && sources.isEmpty
  }

  private mutating func add(_ key: BadgeKey, _ given: PropertyValue) throws(BadgeError) {
    let row = key.row
    var value = given
    if row.isResettable, given == .string(""), let defaultValue = row.defaultValue {
      value = defaultValue
    }
    guard row.accepts(value) else { throw Self.refusal(of: given, by: key) }
    switch (key, value) {
    case (.kind, _):
      try changeUnnamed(.set(.dot), by: key)
    case (.count, .integer(let count)):
      try changeUnnamed(.set(.number(count)), by: key)
    case (.text, .string(let text)):
      try changeUnnamed(try UnnamedValue.reading(text).map(ValueChange.set) ?? .clear, by: key)
    case (.sources, .sources(let entries)):
      try add(entries)
    case (.ttl, _):
      ttl = value.finiteNumber
    case (.whilePID, .integer(let number)):
      processID = UInt32(number)
    case (.preset, .string(let name)):
      preset = BadgePreset(rawValue: name)
    default:
      settings.append(BadgeSetting(key: key, value: value))
    }
  }

  private mutating func add(_ entries: [SourceEntry]) throws(BadgeError) {
    for entry in entries {
      guard let count = Codec.count.decode(entry.value) else {
        throw Self.refusal(of: .sources([entry]), by: .sources)
      }
      if entry.name.isEmpty {
        try changeUnnamed(.set(.number(count)), by: .sources)
      } else {
        let name = try SourceName(entry.name, key: BadgeKey.sources.name)
        sources.append(SourceCount(name: name, count: count))
        guard sources.count <= BadgeLimits.sourcesPerCall else {
          throw .limitReached("\(BadgeLimits.sourcesPerCall) named sources a call")
        }
      }
    }
  }

  private mutating func changeUnnamed(
    _ change: ValueChange,
    by key: BadgeKey
  ) throws(BadgeError) {
    guard unnamed == nil else {
      throw .invalidKey(
        key.name,
        reason: "sets the unnamed source a second time; give one of count, text, kind, and '' in "
          + "sources"
      )
    }
    unnamed = change
  }

  private static func refusal(of value: PropertyValue, by key: BadgeKey) -> BadgeError {
    .invalidValue(key: key.name, value: value, expected: key.expected)
  }
}

// SPDX-License-Identifier: MIT

/// Everything about one id that must survive a restart.
///
/// Whoever stores a record must also store what gives `deadline` and `owner` a meaning after a
/// reboot.
public struct BadgeRecord: Hashable, Sendable {
  /// A native badge.
  public struct Native: Hashable, Sendable {
    /// The value of the unnamed source.
    public var unnamed: UnnamedValue
    /// The named sources in any order.
    public var sources: [SourceCount]
    /// Whether no value was set yet.
    public var isPlaceholder: Bool
    /// Whether the badge wants attention.
    public var isUrgent: Bool
    /// Whether the badge is hidden because its value was dismissed.
    public var isDismissed: Bool
    /// Progress from 0 to 1; `nil` for none.
    public var progress: Double?

    /// Makes the state of a native badge.
    public init(
      unnamed: UnnamedValue,
      sources: [SourceCount] = [],
      isPlaceholder: Bool = false,
      isUrgent: Bool = false,
      isDismissed: Bool = false,
      progress: Double? = nil
    ) {
      self.unnamed = unnamed
      self.sources = sources
      self.isPlaceholder = isPlaceholder
      self.isUrgent = isUrgent
      self.isDismissed = isDismissed
      self.progress = progress
    }
  }

  /// A dismissal that still has an effect.
  public struct Dismissal: Hashable, Sendable {
    /// Larger for a later dismissal.
    public var age: UInt64
    /// The dismissed value of the native badge.
    public var native: DismissedValue?
    /// The dismissed number of the app's badge.
    public var app: Int64?

    /// Makes the state of a dismissal.
    public init(age: UInt64, native: DismissedValue?, app: Int64?) {
      self.age = age
      self.native = native
      self.app = app
    }
  }

  /// How an app's badge differs from what the app announces.
  public struct App: Hashable, Sendable {
    /// Whether the badge wants attention.
    public var isUrgent: Bool
    /// Progress from 0 to 1; `nil` for none.
    public var progress: Double?
    /// Whether the badge was removed, until the app announces it again.
    public var isRemoved: Bool

    /// Makes the state of an app's badge.
    public init(isUrgent: Bool, progress: Double?, isRemoved: Bool) {
      self.isUrgent = isUrgent
      self.progress = progress
      self.isRemoved = isRemoved
    }
  }

  /// The id that all this belongs to.
  public let id: BadgeID
  /// The native badge, if there is one.
  public var native: Native?
  /// Style and policy that differ from the defaults, in the order of the key table.
  public var settings: [BadgeSetting] = []
  /// When the badge expires, in nanoseconds of the present boot's `CLOCK_BOOTTIME`.
  public var deadline: Int64?
  /// The process that the badge lives with.
  public var owner: OwnerProcess?
  /// What a person dismissed.
  public var dismissal: Dismissal?
  /// The state of the app's own badge, if it differs from what is announced.
  public var app: App?
  /// Larger for a style that was kept later; `nil` if there is a badge or a dismissal.
  public var keptAge: UInt64?

  /// Makes an empty record.
  public init(id: BadgeID) {
    self.id = id
  }

  /// Whether there is nothing to save.
  public var isEmpty: Bool {
    native == nil && settings.isEmpty && deadline == nil && owner == nil && dismissal == nil
      && app == nil
  }

  fileprivate var age: UInt64? { dismissal?.age ?? keptAge }
}

extension BadgeBook {
  /// Restores a book from unchecked records.
  ///
  /// - Parameters:
  ///   - records: What `record(for:)` gave, with deadlines of the present boot. Values out of range
  ///     are brought into it or left out, and so are records over a limit or of an id that was
  ///     restored already.
  ///   - onRejected: Called with the id of each record that was left out.
  public init(
    records: some Sequence<BadgeRecord>,
    onRejected: (BadgeID) -> Void = { _ in }
  ) {
    self.init()
    let oldestFirst = records.sorted { ($0.age ?? .max) < ($1.age ?? .max) }
    storage.reserveCapacity(oldestFirst.count)
    for record in oldestFirst where !restore(record) {
      onRejected(record.id)
    }
    storage.markSaved()
    // The style of an app's badge is now kept until the app returns, at an age of its own.
    for record in oldestFirst where storage.keptStyleAge(of: record.id) != record.keptAge {
      storage.markUnsaved(record.id)
    }
  }

  /// Everything about an id that must survive a restart; `nil` if there is nothing to save.
  public func record(for id: BadgeID) -> BadgeRecord? {
    var record = BadgeRecord(id: id)
    let present = self[id]
    if let badge = present, badge.origin == .native {
      record.native = BadgeRecord.Native(badge)
    }
    if let dismissal = storage.dismissal(of: id) {
      record.dismissal = BadgeRecord.Dismissal(
        age: storage.dismissalAge(of: id) ?? 0,
        native: dismissal.native,
        app: dismissal.app
      )
    }
    record.app = storage.appState(of: id)
    if present == nil { record.keptAge = storage.keptStyleAge(of: id) }
    if let style = present ?? storage.keptStyle(of: id) {
      record.settings = style.settings
      record.deadline = style.deadline
      record.owner = style.owner
    }
    return record.isEmpty ? nil : record
  }

  /// All ids that may have a record.
  public var recordedIDs: Set<BadgeID> { storage.recordedIDs }

  private mutating func restore(_ record: BadgeRecord) -> Bool {
    guard storage.position(of: record.id) == nil else { return false }
    var badge = Badge(id: record.id)
    badge.apply(record.settings)
    badge.deadline = record.deadline
    badge.owner = record.owner
    if let native = record.native {
      guard storage.totals.natives < BadgeLimits.nativeBadges, badge.restore(native),
        storage.totals.namedSources + badge.namedSources.count <= BadgeLimits.sources
      else { return false }
      storage.insert(badge)
    }
    if let saved = record.dismissal {
      let dismissal = Dismissal(saved)
      if !dismissal.isOver { storage.remember(dismissal, of: record.id, age: saved.age) }
    }
    if let app = record.app { storage.restoreApp(app, of: record.id) }
    if record.native == nil { storage.keepStyle(badge, age: record.keptAge) }
    return true
  }
}

extension BadgeRecord.Native {
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

extension Dismissal {
  fileprivate init(_ saved: BadgeRecord.Dismissal) {
    native = saved.native.map { value in
      let sources = value.sources.prefix(BadgeLimits.sourcesPerBadge)
      return DismissedValue(unnamed: value.unnamed, sources: Array(sources))
    }
    app = saved.app
  }
}

extension Badge {
  /// Style and policy that differ from the defaults.
  fileprivate var settings: [BadgeSetting] {
    guard !isPlain || !hidesAtZero || !isDismissable else { return [] }
    return KeyRow.table.compactMap { row in
      guard row.isKept, let value = row.value(of: self), value != row.defaultValue else {
        return nil
      }
      return BadgeSetting(key: row.key, value: value)
    }
  }

  /// Takes the state of a native badge; false if it has too many sources.
  fileprivate mutating func restore(_ native: BadgeRecord.Native) -> Bool {
    guard native.sources.count <= BadgeLimits.sourcesPerBadge else { return false }
    unnamed = native.unnamed
    if case .number(let number) = unnamed { unnamed = .number(BadgeCount.saturated(number)) }
    isPlaceholder = native.isPlaceholder
    isUrgent = native.isUrgent
    isDismissed = native.isDismissed
    progress = native.progress.flatMap { (0...1).contains($0) ? $0 : nil }
    for source in native.sources {
      setCount(BadgeCount.saturated(source.count), of: source.name)
    }
    return true
  }
}

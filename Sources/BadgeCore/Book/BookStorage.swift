// SPDX-License-Identifier: MIT

/// The state of a book, and the only code that changes it.
///
/// Totals, deadlines, owners and unsaved ids follow from the rest. Each mutation here keeps them
/// right, and takes constant time but for `removeAll`.
struct BookStorage: Sendable {
  struct Slot: Sendable {
    fileprivate(set) var badge: Badge
    /// The turn in which the badge was last marked as unsaved.
    fileprivate var turn: UInt64
  }

  private var positions: [BadgeID: Int32] = [:]
  private var slots: [Slot] = []
  private(set) var totals = BookTotals()
  private var deadlines = DeadlineQueue()
  /// The processes that badges live with, and those badges.
  private var owners: [OwnerProcess: Set<BadgeID>] = [:]
  private var apps: [BadgeID: AnnouncedApp] = [:]
  /// The restored state of apps that have not announced anything yet.
  private var restoredApps: [BadgeID: BadgeRecord.App] = [:]
  private var dismissals = DismissalMemory()
  /// Style and policy of ids that have no badge and no dismissal.
  private var keptStyles = AgedTable<Badge>()

  /// The ids whose record may differ from what was last saved.
  private(set) var unsaved: Set<BadgeID> = []
  private var turn: UInt64 = 1

  mutating func markSaved() {
    unsaved.removeAll(keepingCapacity: unsaved.count <= 512)
    turn += 1
  }

  mutating func markUnsaved(_ id: BadgeID) {
    unsaved.insert(id)
  }

  /// As `markUnsaved(_:)`, without hashing the id if it is marked already.
  private mutating func markUnsaved(at position: Int) {
    guard slots[position].turn != turn else { return }
    slots[position].turn = turn
    unsaved.insert(slots[position].badge.id)
  }

  /// Everything that has a record, or may have one.
  var recordedIDs: Set<BadgeID> {
    Set(badges.map(\.id)).union(dismissals.ids).union(keptStyles.ids).union(apps.keys)
      .union(restoredApps.keys)
  }
}

// MARK: Badges

extension BookStorage {
  var badges: BadgeCollection { BadgeCollection(slots: slots) }

  /// Where the badge of an id is; valid until a badge is deleted.
  func position(of id: BadgeID) -> Int? {
    positions[id].map(Int.init)
  }

  subscript(position: Int) -> Badge { @inline(__always) get { slots[position].badge } }

  subscript(id: BadgeID) -> Badge? {
    position(of: id).map { slots[$0].badge }
  }

  /// Changes a badge in place; its id must stay.
  mutating func change(at position: Int, _ body: (inout Badge) -> Void) {
    let (deadline, owner) = (slots[position].badge.deadline, slots[position].badge.owner)
    totals.subtract(slots[position].badge)
    body(&slots[position].badge)
    totals.add(slots[position].badge)
    if slots[position].badge.deadline != deadline { followDeadline(of: slots[position].badge) }
    if slots[position].badge.owner != owner {
      if let owner { unfollow(owner, of: slots[position].badge.id) }
      followOwner(of: slots[position].badge)
    }
    markUnsaved(at: position)
  }

  /// Adds a badge whose id has none.
  @discardableResult
  mutating func insert(_ badge: Badge) -> Int {
    let position = slots.count
    positions[badge.id] = Int32(position)
    slots.append(Slot(badge: badge, turn: 0))
    totals.add(badge)
    if badge.deadline != nil { followDeadline(of: badge) }
    followOwner(of: badge)
    markUnsaved(at: position)
    return position
  }

  /// Removes a badge; the last one moves to its position.
  @discardableResult
  mutating func delete(at position: Int) -> Badge {
    let badge = slots[position].badge
    positions[badge.id] = nil
    let last = slots.removeLast()
    if position < slots.count {
      slots[position] = last
      positions[last.badge.id] = Int32(position)
    }
    totals.subtract(badge)
    if badge.deadline != nil { pruneDeadlines() }
    if let owner = badge.owner { unfollow(owner, of: badge.id) }
    markUnsaved(badge.id)
    return badge
  }

  /// Removes all badges, dismissals and kept styles, and marks all apps as removed.
  mutating func removeAll() {
    for id in recordedIDs { markUnsaved(id) }
    for id in apps.keys { apps[id]?.isRemoved = true }
    for id in restoredApps.keys { restoredApps[id]?.isRemoved = true }
    positions = [:]
    slots = []
    totals = BookTotals()
    deadlines = DeadlineQueue()
    owners = [:]
    dismissals = DismissalMemory()
    keptStyles = AgedTable()
  }

  mutating func reserveCapacity(_ count: Int) {
    positions.reserveCapacity(count)
    slots.reserveCapacity(count)
  }
}

/// The badges of a book, in no particular order.
public struct BadgeCollection: RandomAccessCollection {
  fileprivate let slots: [BookStorage.Slot]

  /// The position of the first badge, 0.
  public var startIndex: Int { 0 }

  /// The position after the last badge, their count.
  public var endIndex: Int { slots.count }

  /// The badge at a position of this collection.
  public subscript(position: Int) -> Badge { slots[position].badge }
}

// MARK: Deadlines and owners

extension BookStorage {
  /// The earliest deadline and the badge that has it.
  var nextDeadline: DeadlineQueue.Entry? { deadlines.first }

  /// Entries of the queue, of which some may be stale.
  var queuedDeadlines: Int { deadlines.count }

  var watchedProcesses: some Collection<OwnerProcess> { owners.keys }

  /// The ids of the badges that live with a process, in order.
  func ids(of owner: OwnerProcess) -> [BadgeID] { owners[owner]?.sorted() ?? [] }

  private mutating func followDeadline(of badge: Badge) {
    if let deadline = badge.deadline {
      deadlines.insert(.init(deadline: deadline, id: badge.id))
    }
    pruneDeadlines()
  }

  private mutating func followOwner(of badge: Badge) {
    guard let owner = badge.owner else { return }
    owners[owner, default: []].insert(badge.id)
  }

  private mutating func unfollow(_ owner: OwnerProcess, of id: BadgeID) {
    owners[owner]?.remove(id)
    if owners[owner]?.isEmpty == true { owners[owner] = nil }
  }

  /// Removes stale deadlines from the front, and all of them if there are more than badges.
  private mutating func pruneDeadlines() {
    while let first = deadlines.first, self[first.id]?.deadline != first.deadline {
      deadlines.removeFirst()
    }
    guard deadlines.count > 64 + 2 * slots.count else { return }
    deadlines = DeadlineQueue()
    for badge in badges {
      guard let deadline = badge.deadline else { continue }
      deadlines.insert(.init(deadline: deadline, id: badge.id))
    }
  }
}

// MARK: Apps

extension BookStorage {
  /// How many apps announce a badge.
  var appCount: Int { apps.count }

  /// The apps whose badge was removed and that have not announced it again.
  var removedApps: [BadgeID] { apps.filter(\.value.isRemoved).map(\.key) }

  func app(of id: BadgeID) -> AnnouncedApp? { apps[id] }

  /// What must be saved of an app, whether it announced its badge since the restart or not.
  func appState(of id: BadgeID) -> BadgeRecord.App? {
    apps[id]?.state ?? restoredApps[id]
  }

  /// Sets or removes an app, in place of any restored state.
  mutating func setApp(_ app: AnnouncedApp?, of id: BadgeID) {
    let before = appState(of: id)
    restoredApps[id] = nil
    apps[id] = app
    if app?.state != before { markUnsaved(id) }
  }

  /// Changes an app if there is one.
  mutating func changeApp(of id: BadgeID, _ body: (inout AnnouncedApp) -> Void) {
    guard var app = apps[id] else { return }
    body(&app)
    setApp(app, of: id)
  }

  /// Restores the state of an app until it announces its badge, within the limit of apps.
  mutating func restoreApp(_ state: BadgeRecord.App, of id: BadgeID) {
    guard restoredApps.count < BadgeLimits.announcedBadges else { return }
    restoredApps[id] = state
  }

  /// Forgets the restored state of apps that have not announced anything.
  mutating func forgetRestoredApps() {
    for id in restoredApps.keys { markUnsaved(id) }
    restoredApps = [:]
  }
}

// MARK: Dismissals and kept styles

extension BookStorage {
  func dismissal(of id: BadgeID) -> Dismissal? { dismissals[id] }

  /// Larger for a later dismissal.
  func dismissalAge(of id: BadgeID) -> UInt64? { dismissals.age(of: id) }

  /// Remembers a dismissal as the newest; over the limit, the oldest are forgotten.
  mutating func remember(_ dismissal: Dismissal, of id: BadgeID, age: UInt64? = nil) {
    markUnsaved(id)
    for forgotten in dismissals.insert(dismissal, for: id, age: age) { markUnsaved(forgotten) }
  }

  /// Changes a dismissal if there is one; once it is over, the style kept with it stays.
  mutating func changeDismissal(of id: BadgeID, _ body: (inout Dismissal) -> Void) {
    markUnsaved(id)
    if let style = dismissals.change(id, body) { keepStyle(style) }
  }

  mutating func forgetDismissal(of id: BadgeID) {
    markUnsaved(id)
    dismissals.forget(id)
  }

  /// The style and policy kept for an id that has no badge.
  func keptStyle(of id: BadgeID) -> Badge? {
    dismissals[id]?.keptStyle ?? keptStyles[id]
  }

  /// Larger for a style that was kept later; `nil` if it is kept with a dismissal, or there is none.
  func keptStyleAge(of id: BadgeID) -> UInt64? { keptStyles.age(of: id) }

  /// Keeps style and policy for an id that has no badge; over the limit, the oldest are forgotten.
  ///
  /// Until a restored app announces its badge again, its deadline and owner are kept as well.
  mutating func keepStyle(_ style: Badge, age: UInt64? = nil) {
    markUnsaved(style.id)
    guard !style.isDefault else { return }
    guard dismissals[style.id] == nil else {
      _ = dismissals.change(style.id) { $0.keptStyle = style }
      return
    }
    keptStyles.insert(style, for: style.id, age: age)
    while keptStyles.count > BadgeLimits.keptStyles, let oldest = keptStyles.removeOldest() {
      markUnsaved(oldest.id)
    }
  }

  /// Makes a badge at number 0 with the style and policy kept for its id, which are no longer kept.
  ///
  /// It is dismissed if the id is, until another value is set.
  mutating func takeStyle(of id: BadgeID) -> Badge {
    var badge = keptStyles.remove(id) ?? Badge(id: id)
    guard let dismissal = dismissals[id] else { return badge }
    if let style = dismissal.keptStyle {
      badge = style
      _ = dismissals.change(id) { $0.keptStyle = nil }
    }
    badge.isDismissed = true
    return badge
  }
}

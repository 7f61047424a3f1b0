// SPDX-License-Identifier: MIT

/// All badges, and what is remembered of those that are not there.
///
/// A value whose mutating methods say what changed; it speaks to nobody and reads no clock. Copies
/// are independent. Methods that throw have changed nothing then. Nothing but `badges`, `removeAll`,
/// `setQuiet` and restoring takes longer with more badges.
public struct BadgeBook: Sendable {
  var table = BadgeTable()
  var tally = Tally()
  /// What apps announce at present, by id, shown or not.
  var apps: [BadgeID: AnnouncedApp] = [:]
  /// What was restored of apps that have not announced anything yet.
  var restoredApps: [BadgeID: AppState] = [:]
  var dismissals = DismissalMemory()
  /// Style and policy of ids that have no badge and were not dismissed.
  var looks = AgedTable<Badge>()
  var deadlines = DeadlineQueue()
  var owners = OwnerTable()

  /// Whether the person is not to be disturbed: nothing is visible, counts go on.
  public internal(set) var isQuiet = false

  /// The ids whose record may differ from what was last saved.
  public private(set) var unsaved: Set<BadgeID> = []
  private var turn: UInt64 = 1

  /// Makes an empty book.
  public init() {}

  /// The badge of an id; `nil` if there is none.
  public subscript(id: BadgeID) -> Badge? {
    table.position(of: id).map { table.slots[$0].badge }
  }

  /// The badge of an id.
  ///
  /// - Throws: `BadgeError.noSuchBadge` if there is none.
  public func badge(_ id: BadgeID) throws(BadgeError) -> Badge {
    guard let badge = self[id] else { throw .noSuchBadge(id) }
    return badge
  }

  /// All badges that are present, hidden ones too, in no particular order.
  public var badges: BadgeList { BadgeList(slots: table.slots) }

  /// The visible number badges' counts added up, saturated.
  public var total: Int64 {
    isQuiet ? 0 : Count.saturated(tally.total)
  }

  /// How many badges show.
  public var visibleCount: Int {
    isQuiet ? 0 : tally.visible
  }

  /// Turns on or off that nothing is visible.
  ///
  /// - Returns: The badges that it shows or hides.
  public mutating func setQuiet(_ quiet: Bool) -> Change {
    guard quiet != isQuiet else { return .none }
    isQuiet = quiet
    return Change(badges.filter { $0.isVisible(quiet: false) }.map { .updated($0.id) })
  }

  /// Says that the records of `unsaved` were saved.
  public mutating func markSaved() {
    unsaved.removeAll(keepingCapacity: unsaved.count <= 512)
    turn += 1
  }

  /// Notes that the record of an id may have changed.
  mutating func noteUnsaved(_ id: BadgeID) {
    unsaved.insert(id)
  }

  /// Notes that a badge's record may have changed; cheap from the second time on.
  mutating func noteUnsaved(at position: Int) {
    guard table.slots[position].turn != turn else { return }
    table.slots[position].turn = turn
    unsaved.insert(table.slots[position].badge.id)
  }

  /// Changes a badge and keeps the tally right.
  mutating func change(at position: Int, _ body: (inout Badge) -> Void) {
    tally -= Tally.Part(table.slots[position].badge)
    body(&table.slots[position].badge)
    tally += Tally.Part(table.slots[position].badge)
  }

  /// Adds a badge whose id has none.
  mutating func insert(_ badge: Badge) -> Int {
    let position = table.append(badge)
    tally += Tally.Part(badge)
    watch(badge)
    noteUnsaved(at: position)
    return position
  }

  /// Takes a badge out; what is remembered of its id stays as it is.
  mutating func delete(at position: Int) {
    let badge = table.slots[position].badge
    noteUnsaved(badge.id)
    tally -= Tally.Part(badge)
    table.remove(at: position)
    unwatch(badge)
  }
}

// SPDX-License-Identifier: MIT

/// All badges, and what is remembered of ids that have none.
///
/// A value without clock or I/O, whose mutating methods return what changed. A method that throws
/// has changed nothing. All methods take constant time but for `badges`, `removeAll`, `setQuiet` and
/// those for restoring.
public struct BadgeBook: Sendable {
  var storage = BookStorage()

  /// Whether Quiet is on: nothing is visible, but counting continues.
  public private(set) var isQuiet = false

  /// Makes an empty book.
  public init() {}

  /// The badge of an id; `nil` if there is none.
  public subscript(id: BadgeID) -> Badge? { storage[id] }

  /// The badge of an id.
  ///
  /// - Throws: `BadgeError.noSuchBadge`.
  public func badge(_ id: BadgeID) throws(BadgeError) -> Badge {
    guard let badge = self[id] else { throw .noSuchBadge(id) }
    return badge
  }

  /// All present badges, including hidden ones, in no particular order.
  public var badges: BadgeCollection { storage.badges }

  /// The sum of the visible numbers, saturated.
  public var total: Int64 {
    isQuiet ? 0 : BadgeCount.saturated(storage.totals.sum)
  }

  /// How many badges are visible.
  public var visibleCount: Int {
    isQuiet ? 0 : storage.totals.visible
  }

  /// Turns Quiet on or off.
  ///
  /// - Returns: The badges that became hidden or visible.
  public mutating func setQuiet(_ quiet: Bool) -> BadgeChange {
    guard quiet != isQuiet else { return .none }
    isQuiet = quiet
    return BadgeChange(badges.filter { $0.isVisible(quiet: false) }.map { .updated($0.id) })
  }

  /// The ids whose record may differ from what was last saved.
  public var unsaved: Set<BadgeID> { storage.unsaved }

  /// Empties `unsaved`, once all those records were saved.
  public mutating func markSaved() {
    storage.markSaved()
  }
}

/// What a mutation of a book changed.
public enum BadgeChange: Hashable, Sendable {
  /// Nothing.
  case none
  /// The badge is new or has changed, though all its keys may read the same.
  case updated(BadgeID)
  /// There is no badge of this id any more.
  case removed(BadgeID, RemovalReason)
  /// Several changes in this order; never empty or nested.
  case several([BadgeChange])

  init(_ changes: [BadgeChange]) {
    switch changes.count {
    case 0: self = .none
    case 1: self = changes[0]
    default: self = .several(changes)
    }
  }
}

/// Why a badge was removed, as in the signal `Removed`.
public enum RemovalReason: String, CaseIterable, Sendable {
  /// It was removed by a call, or was an app's and was cleared.
  case removed
  /// A person removed it from a panel.
  case dismissed
  /// All badges were removed.
  case clearedAll = "cleared-all"
  /// The process it lived with ended, or the app that announced it left the bus.
  case ownerGone = "owner-gone"
  /// Its deadline passed.
  case expired
}

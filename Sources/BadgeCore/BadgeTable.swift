// SPDX-License-Identifier: MIT

/// The badges that are present, close together, found by id in one look-up.
struct BadgeTable: Sendable {
  struct Slot: Sendable {
    var badge: Badge
    /// The turn in which the badge was last noted as unsaved.
    var turn: UInt64
  }

  private var positions: [BadgeID: Int32] = [:]
  /// Changed in place; no other id may be put in a slot.
  var slots: [Slot] = []

  var count: Int { slots.count }

  func position(of id: BadgeID) -> Int? {
    positions[id].map(Int.init)
  }

  /// Adds a badge whose id is not in the table.
  mutating func append(_ badge: Badge) -> Int {
    positions[badge.id] = Int32(slots.count)
    slots.append(Slot(badge: badge, turn: 0))
    return slots.count - 1
  }

  /// Removes a badge; the last one takes its place.
  mutating func remove(at position: Int) {
    positions[slots[position].badge.id] = nil
    let last = slots.removeLast()
    guard position < slots.count else { return }
    slots[position] = last
    positions[last.badge.id] = Int32(position)
  }

  /// Makes room for so many badges.
  mutating func reserveCapacity(_ count: Int) {
    positions.reserveCapacity(count)
    slots.reserveCapacity(count)
  }

  mutating func removeAll() {
    self = BadgeTable()
  }
}

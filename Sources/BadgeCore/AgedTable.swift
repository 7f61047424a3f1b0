// SPDX-License-Identifier: MIT

/// Values by id that know which was put in first, so that the oldest can be forgotten first.
///
/// All operations are O(1), amortised over those before them.
struct AgedTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var age: UInt64
    var value: Value
  }

  private struct Place: Sendable {
    let age: UInt64
    let id: BadgeID
  }

  private var entries: [BadgeID: Entry] = [:]
  /// Every entry in the order of its age, among places of entries that are gone or newer.
  private var queue: [Place] = []
  /// Where the queue begins; what is before was taken.
  private var head = 0
  private var nextAge: UInt64 = 1

  var count: Int { entries.count }

  /// How much room the queue takes.
  var places: Int { queue.count }

  var ids: some Sequence<BadgeID> { entries.keys }

  subscript(id: BadgeID) -> Value? {
    entries[id]?.value
  }

  /// A number that is larger for what was put in later.
  func age(of id: BadgeID) -> UInt64? {
    entries[id]?.age
  }

  /// Puts a value in as the newest; with an age that it had before, if that is given and larger than
  /// all others.
  mutating func insert(_ value: Value, for id: BadgeID, age: UInt64? = nil) {
    // An age from a file may be any number; a sum must not overflow for it.
    if let age, age > nextAge, age < 1 << 62 { nextAge = age }
    entries[id] = Entry(age: nextAge, value: value)
    queue.append(Place(age: nextAge, id: id))
    nextAge += 1
    if queue.count > 64 + 2 * entries.count {
      queue = queue[head...].filter { isCurrent($0) }
      head = 0
    }
  }

  /// Replaces a value and leaves it as old as it is.
  mutating func replace(_ value: Value, for id: BadgeID) {
    entries[id]?.value = value
  }

  mutating func remove(_ id: BadgeID) -> Value? {
    entries.removeValue(forKey: id)?.value
  }

  mutating func removeOldest() -> (id: BadgeID, value: Value)? {
    while head < queue.count {
      let place = queue[head]
      head += 1
      if isCurrent(place), let entry = entries.removeValue(forKey: place.id) {
        return (place.id, entry.value)
      }
    }
    return nil
  }

  private func isCurrent(_ place: Place) -> Bool {
    entries[place.id]?.age == place.age
  }
}

// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import DBus

/// What each method of the manager does to a badge.
///
/// A method that throws has changed nothing.
extension BadgeService {
  func setCount(of id: BadgeID, to count: Int64) throws(BusError) {
    try change(id) { book throws(BadgeError) in try book.setCount(count, for: id) }
  }

  func setText(of id: BadgeID, to text: String) throws(BusError) {
    try change(id) { book throws(BadgeError) in try book.setText(text, for: id) }
  }

  func setDot(of id: BadgeID) throws(BusError) {
    try change(id) { book throws(BadgeError) in try book.setDot(for: id) }
  }

  func setSource(_ source: String, of id: BadgeID, to count: Int64) throws(BusError) {
    try change(id) { book throws(BadgeError) in try book.setSource(source, to: count, for: id) }
  }

  func increment(_ id: BadgeID, by amount: Int64) throws(BusError) -> Int64 {
    try changeCount(of: id) { book throws(BadgeError) in try book.increment(id, by: amount) }
  }

  func decrement(_ id: BadgeID, by amount: Int64) throws(BusError) -> Int64 {
    try changeCount(of: id) { book throws(BadgeError) in try book.decrement(id, by: amount) }
  }

  func incrementSource(
    _ source: String,
    of id: BadgeID,
    by amount: Int64
  ) throws(BusError) -> Int64 {
    try changeCount(of: id) { book throws(BadgeError) in
      try book.incrementSource(source, of: id, by: amount)
    }
  }

  func decrementSource(
    _ source: String,
    of id: BadgeID,
    by amount: Int64
  ) throws(BusError) -> Int64 {
    try changeCount(of: id) { book throws(BadgeError) in
      try book.decrementSource(source, of: id, by: amount)
    }
  }

  /// Changes keys of the badge `id`, all or none.
  func update(_ id: BadgeID, with changes: [(String, PropertyValue)]) throws(BusError) {
    let update: BadgeUpdate
    var startTime: UInt64 = 0
    do throws(BadgeError) {
      update = try BadgeUpdate(changes)
      if let pid = update.watchedProcess { startTime = try watch(pid).startTime }
    } catch {
      throw BusError(error)
    }
    try change(id) { book throws(BadgeError) in
      try book.update(id, with: update, now: now, startTime: startTime)
    }
  }

  func clear(_ id: BadgeID) throws(BusError) {
    try change(id) { $0.clear(id) }
  }

  func remove(_ id: BadgeID) throws(BusError) {
    try change(id) { book throws(BadgeError) in try book.remove(id) }
  }

  /// Forgets all badges and returns how many there were.
  func removeAll() -> Int {
    var count = 0
    changeAll { book in
      let result = book.removeAll()
      count = result.count
      return result.change
    }
    return count
  }

  func dismiss(_ id: BadgeID) throws(BusError) {
    try change(id) { book throws(BadgeError) in try book.dismiss(id) }
  }

  func acknowledge(_ id: BadgeID) throws(BusError) {
    try change(id) { $0.acknowledge(id) }
  }
}

// SPDX-License-Identifier: MIT
internal import BadgeBus
internal import BadgeCore
internal import BadgeStore
internal import DBus
internal import EventLoop

/// What the interface's handlers call: a refusal of the domain becomes an error of the bus here.
extension BadgeService {
  /// The instant from which `ttl` is told.
  var now: Int64 { Instant.now().nanoseconds }

  /// Changes the badge `id`.
  func apply(
    _ id: BadgeID,
    _ body: (inout BadgeBook) throws(BadgeError) -> Change
  ) throws(BusError) {
    do throws(BadgeError) {
      try change(id, body)
    } catch {
      throw BusError(error)
    }
  }

  /// Changes the badge `id` and returns its new count.
  func count(
    _ id: BadgeID,
    _ body: (inout BadgeBook) throws(BadgeError) -> (count: Int64, change: Change)
  ) throws(BusError) -> Int64 {
    var count: Int64 = 0
    try apply(id) { book throws(BadgeError) in
      let result = try body(&book)
      count = result.count
      return result.change
    }
    return count
  }

  /// Changes keys of the badge `id`, all or none.
  func update(_ id: BadgeID, _ changes: [(String, PropertyValue)]) throws(BusError) {
    do throws(BadgeError) {
      let update = try BadgeUpdate(changes)
      let owner = try update.watchedProcess.map { pid throws(BadgeError) in
        try processes.open(pid)
      }
      let now = now
      try change(id) { book throws(BadgeError) in
        try book.update(id, with: update, now: now, startTime: owner?.startTime ?? 0)
      }
    } catch {
      throw BusError(error)
    }
  }

  /// Forgets all badges and returns how many there were.
  func removeAll() -> Int {
    var count = 0
    changeSeveral { _ in
      true
    } _: { book in
      let result = book.removeAll()
      count = result.count
      return result.change
    }
    return count
  }

  /// The badge `id` as subscribers have been told of it.
  func read(_ id: BadgeID) throws(BusError) -> Appearance {
    flush(id)
    guard let badge = book[id] else { throw BusError(.noSuchBadge(id)) }
    return Appearance(badge: badge, isQuiet: book.isQuiet)
  }

  /// Takes what was written to `QuietUntil`.
  func setQuietUntil(_ value: Value) throws(BusError) {
    let until: UInt64? =
      // No clock reaches what is no `integer`, and no file would hold it.
      if case .integer(let seconds) = PropertyValue(value) { UInt64(exactly: seconds) } else { nil }
    guard let until, until == 0 || until > WallClock.seconds() else {
      throw BusError(
        .invalidValue(
          key: "QuietUntil",
          value: PropertyValue(value),
          expected: "a time to come, in seconds since the epoch, or 0"
        )
      )
    }
    setQuiet(until > 0 || journal.settings.quiet, until: until)
  }
}

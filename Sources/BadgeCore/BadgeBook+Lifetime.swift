// SPDX-License-Identifier: MIT

extension BadgeBook {
  /// When the next badge is to be removed, in nanoseconds of `CLOCK_BOOTTIME`; `nil` when all stay.
  public var nextDeadline: Int64? {
    deadlines.first?.deadline
  }

  /// Removes the badges whose time is over.
  ///
  /// - Parameter now: Nanoseconds of `CLOCK_BOOTTIME`.
  /// - Returns: What changed.
  public mutating func expire(now: Int64) -> Change {
    var changes: [Change] = []
    while let next = deadlines.first, next.deadline <= now,
      let position = table.position(of: next.id)
    {
      changes.append(end(at: position, .expired))
    }
    return Change(changes)
  }

  /// The processes that badges live with; any mutation may change them.
  public var watchedProcesses: [OwnerProcess] { owners.processes }

  /// Removes the badges that lived with a process.
  public mutating func processEnded(_ owner: OwnerProcess) -> Change {
    Change(
      owners.ids(of: owner).compactMap { id in
        table.position(of: id).map { end(at: $0, .ownerGone) }
      }
    )
  }

  /// Seconds from now, at least the smallest and at most the largest time there is.
  static func deadline(after seconds: Double, from now: Int64) -> Int64 {
    let nanoseconds = max(1, seconds * 1e9 + 0.5)
    guard nanoseconds < Double(Int64.max - max(now, 0)) else { return .max }
    return now + Int64(nanoseconds)
  }

  mutating func setDeadline(_ deadline: Int64?, at position: Int) {
    table.slots[position].badge.deadline = deadline
    if let deadline {
      deadlines.insert(.init(deadline: deadline, id: table.slots[position].badge.id))
    }
    pruneDeadlines()
  }

  mutating func setOwner(_ owner: OwnerProcess?, at position: Int) {
    unwatch(table.slots[position].badge)
    table.slots[position].badge.owner = owner
    watchOwner(of: table.slots[position].badge)
  }

  func checkOwner(_ owner: OwnerProcess?) throws(BadgeError) {
    guard let owner, !owners.contains(owner), owners.count >= Limits.watchedProcesses else {
      return
    }
    throw .limitReached("\(Limits.watchedProcesses) processes that badges live with")
  }

  /// Follows the lifetime of a badge that is new in the table.
  mutating func watch(_ badge: Badge) {
    watchOwner(of: badge)
    guard let deadline = badge.deadline else { return }
    deadlines.insert(.init(deadline: deadline, id: badge.id))
    pruneDeadlines()
  }

  /// Ends following the lifetime of a badge that was taken out of the table.
  mutating func unwatch(_ badge: Badge) {
    if let owner = badge.owner {
      owners.remove(badge.id, of: owner)
    }
    if badge.deadline != nil {
      pruneDeadlines()
    }
  }

  private mutating func watchOwner(of badge: Badge) {
    guard let owner = badge.owner else { return }
    owners.insert(badge.id, of: owner)
  }

  /// Keeps the first deadline a real one, and stale ones fewer than the badges.
  private mutating func pruneDeadlines() {
    while let first = deadlines.first, self[first.id]?.deadline != first.deadline {
      deadlines.removeFirst()
    }
    guard deadlines.count > 64 + 2 * table.count else { return }
    deadlines = DeadlineQueue()
    for badge in badges {
      guard let deadline = badge.deadline else { continue }
      deadlines.insert(.init(deadline: deadline, id: badge.id))
    }
  }
}

// SPDX-License-Identifier: MIT

/// Sums over all present badges, updated as each is added, changed or removed.
///
/// They disregard Quiet, so that turning it on or off costs nothing.
struct BookTotals: Equatable, Sendable {
  private(set) var visible = 0
  /// The sum of the visible numbers; 5,120 counts can exceed 64 bits.
  private(set) var sum: Int128 = 0
  private(set) var natives = 0
  private(set) var namedSources = 0

  mutating func add(_ badge: Badge) { count(badge, 1) }

  mutating func subtract(_ badge: Badge) { count(badge, -1) }

  private mutating func count(_ badge: Badge, _ sign: Int) {
    if badge.origin == .native { natives += sign }
    namedSources += sign * badge.namedSources.count
    guard badge.isVisible(quiet: false) else { return }
    visible += sign
    if badge.kind == .number { sum += Int128(Int64(sign) * badge.count) }
  }
}

/// Deadlines of badges in a binary heap.
///
/// A deadline that was changed stays in the heap as a stale entry until the storage removes it.
struct DeadlineQueue: Sendable {
  struct Entry: Sendable {
    /// Nanoseconds of `CLOCK_BOOTTIME`.
    let deadline: Int64
    let id: BadgeID
  }

  private var heap: [Entry] = []

  var count: Int { heap.count }

  var first: Entry? { heap.first }

  mutating func insert(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0, heap[child].deadline < heap[(child - 1) / 2].deadline {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, heap[child + 1].deadline < heap[child].deadline {
        child += 1
      }
      guard heap[child].deadline < heap[parent].deadline else { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}

/// Values by id in the order of insertion, so that the oldest can be forgotten first.
///
/// All operations take amortised constant time.
struct AgedTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var age: UInt64
    var value: Value
  }

  private struct QueueItem: Sendable {
    let age: UInt64
    let id: BadgeID
  }

  private var entries: [BadgeID: Entry] = [:]
  /// All entries in order of age, among stale items whose entry was removed or inserted again.
  private var queue: [QueueItem] = []
  /// The index of the queue's first item; those before it were taken.
  private var head = 0
  private var nextAge: UInt64 = 1

  var count: Int { entries.count }

  /// Items of the queue, of which some may be stale.
  var queuedItems: Int { queue.count }

  var ids: some Sequence<BadgeID> { entries.keys }

  subscript(id: BadgeID) -> Value? {
    entries[id]?.value
  }

  /// Larger for a value that was inserted later.
  func age(of id: BadgeID) -> UInt64? {
    entries[id]?.age
  }

  /// Inserts a value as the newest, with an age it had before if that is larger than all others.
  mutating func insert(_ value: Value, for id: BadgeID, age: UInt64? = nil) {
    // An age from a file can be any number, and must not lead to an overflow.
    if let age, age > nextAge, age < 1 << 62 { nextAge = age }
    entries[id] = Entry(age: nextAge, value: value)
    queue.append(QueueItem(age: nextAge, id: id))
    nextAge += 1
    if queue.count > 64 + 2 * entries.count {
      queue = queue[head...].filter { isCurrent($0) }
      head = 0
    }
  }

  /// Replaces a value without changing its age.
  mutating func replace(_ value: Value, for id: BadgeID) {
    entries[id]?.value = value
  }

  mutating func remove(_ id: BadgeID) -> Value? {
    entries.removeValue(forKey: id)?.value
  }

  mutating func removeOldest() -> (id: BadgeID, value: Value)? {
    while head < queue.count {
      let item = queue[head]
      head += 1
      if isCurrent(item), let entry = entries.removeValue(forKey: item.id) {
        return (item.id, entry.value)
      }
    }
    return nil
  }

  private func isCurrent(_ item: QueueItem) -> Bool {
    entries[item.id]?.age == item.age
  }
}

/// The remembered dismissals, within the limit.
struct DismissalMemory: Sendable {
  private var table = AgedTable<Dismissal>()
  private var sources = 0

  var ids: some Sequence<BadgeID> { table.ids }

  subscript(id: BadgeID) -> Dismissal? {
    table[id]
  }

  func age(of id: BadgeID) -> UInt64? {
    table.age(of: id)
  }

  /// Inserts a dismissal as the newest.
  ///
  /// - Returns: The oldest ids, which were forgotten to stay within the limit.
  mutating func insert(_ dismissal: Dismissal, for id: BadgeID, age: UInt64?) -> [BadgeID] {
    forget(id)
    table.insert(dismissal, for: id, age: age)
    sources += Self.weight(of: dismissal)
    var forgotten: [BadgeID] = []
    while table.count > BadgeLimits.dismissals || sources > BadgeLimits.dismissals,
      let oldest = table.removeOldest()
    {
      sources -= Self.weight(of: oldest.value)
      forgotten.append(oldest.id)
    }
    return forgotten
  }

  /// Changes a dismissal without changing its age, and forgets it if it is over.
  ///
  /// - Returns: The style kept with a dismissal that is over.
  mutating func change(_ id: BadgeID, _ body: (inout Dismissal) -> Void) -> Badge? {
    guard var dismissal = table[id] else { return nil }
    sources -= Self.weight(of: dismissal)
    body(&dismissal)
    if dismissal.isOver {
      _ = table.remove(id)
      return dismissal.keptStyle
    }
    sources += Self.weight(of: dismissal)
    table.replace(dismissal, for: id)
    return nil
  }

  mutating func forget(_ id: BadgeID) {
    guard let dismissal = table.remove(id) else { return }
    sources -= Self.weight(of: dismissal)
  }

  /// Named sources are limited too: 4,096 dismissals of 64 long names would take 64 MB.
  private static func weight(of dismissal: Dismissal) -> Int {
    dismissal.native?.sources.count ?? 0
  }
}

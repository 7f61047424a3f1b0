// SPDX-License-Identifier: MIT

/// Deadlines of badges, the earliest first: a binary heap.
///
/// A deadline that was moved stays in the heap until the book finds that it is stale.
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

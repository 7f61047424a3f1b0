// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import BadgeCore

@Suite("An aged table")
struct AgedTableTests {
  @Test("forgets the oldest first, and what was put in again counts as new")
  func forgetsOldest() {
    var table = AgedTable<Int>()
    for (value, id) in (["a", "b", "c", "a"] as [BadgeID]).enumerated() {
      table.insert(value, for: id)
    }
    table.replace(7, for: "b")
    table.replace(8, for: "none")
    #expect(table.count == 3 && table["a"] == 3 && table["none"] == nil)
    #expect(table.age(of: "b") ?? 0 < table.age(of: "c") ?? 0)
    #expect(table.remove("c") == 2 && table.remove("c") == nil)
    let first = table.removeOldest()
    #expect(first?.id == "b" && first?.value == 7)
    #expect(table.removeOldest()?.id == "a")
    #expect(table.removeOldest() == nil && table.count == 0)
  }

  @Test("stays small however often the same is put in")
  func staysSmall() {
    var table = AgedTable<Int>()
    for value in 0..<10_000 {
      table.insert(value, for: value % 2 == 0 ? "a" : "b")
      if value % 3 == 0 { _ = table.removeOldest() }
    }
    table.insert(1, for: "c")
    #expect(table.queuedItems <= 64 + 2 * 3 + 1)
    #expect(Set(table.ids).contains("c"))
  }
}

@Suite("A queue of deadlines")
struct DeadlineQueueTests {
  @Test("gives the earliest first")
  func givesEarliest() {
    var generator = SeededGenerator(seed: 3)
    var queue = DeadlineQueue()
    var expected: [Int64] = []
    for _ in 0..<500 {
      let deadline = Int64.random(in: 0..<100, using: &generator)
      queue.insert(.init(deadline: deadline, id: "a"))
      expected.append(deadline)
      if deadline < 30 {
        expected.remove(at: expected.firstIndex(of: expected.min() ?? 0) ?? 0)
        queue.removeFirst()
      }
      #expect(queue.first?.deadline == expected.min() && queue.count == expected.count)
    }
    var last = Int64.min
    while let first = queue.first {
      #expect(first.deadline >= last)
      last = first.deadline
      queue.removeFirst()
    }
    queue.removeFirst()
    #expect(queue.count == 0)
  }
}

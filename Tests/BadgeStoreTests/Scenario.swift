// SPDX-License-Identifier: MIT
import BadgeCore
import Testing

@testable import BadgeStore

/// A life of a store, from nothing to a second opening, in which calls may fail: every step is
/// tried again until it succeeds, and nothing may be lost or half done.
struct Scenario {
  let directory: StateDirectory
  var faults: FaultHook?
  /// How many steps failed.
  var failures = 0
  private var saved: [BadgeID: BadgeRecord] = [:]
  private var settings = StoredSettings()

  init(_ directory: StateDirectory, faults: FaultHook? = nil) {
    self.directory = directory
    self.faults = faults
  }

  /// Lives it; afterwards the directory holds what was saved.
  mutating func run() throws {
    var store = try open()
    var random = RandomRecords(seed: 11)
    for turn in 0..<8 {
      var changes = StoreChanges()
      let count = turn % 2 == 0 ? 1 : 5
      for _ in 0..<count {
        let record = random.record(random.id(among: 10))
        changes.badges.append(record)
      }
      if turn == 3, let id = saved.keys.sorted().first {
        changes.forgotten = [id]
        changes.badges.removeAll { $0.id == id }
      }
      if turn == 5 {
        var next = settings
        next.animations.toggle()
        next.bootID = "boot"
        changes.settings = next
        changes.senders = [random.sender()]
        changes.departed = [random.sender()]
      }
      if turn == 6 { changes.replacesEverything = true }
      try save(changes, to: store)
      if turn % 3 == 1 {
        try retry { () throws(StoreError) in try store.sync() }
        #expect(!store.needsSync)
      }
    }
    close(store)
    store = try open()
    try expectSaved(in: store)
    close(store)
  }

  /// What the directory has to hold after ``run()``.
  mutating func expectSaved(in store: BadgeStore) throws {
    var state = StoredState()
    try retry { () throws(StoreError) in state = try store.load(bus: "this-bus") }
    #expect(state.badges == saved.values.sorted { $0.id < $1.id })
    #expect(state.settings == settings)
    #expect(state.rejected.isEmpty)
  }

  private mutating func open() throws -> BadgeStore {
    var opened: BadgeStore?
    let (directory, faults) = (directory, faults)
    try retry { () throws(StoreError) in
      let store = try BadgeStore.open(directory, faults: faults)
      #expect(store.setAside == nil)
      do throws(StoreError) {
        _ = try store.load(bus: "this-bus")
      } catch {
        try? store.close()
        throw error
      }
      opened = store
    }
    return try #require(opened)
  }

  private mutating func save(_ changes: StoreChanges, to store: BadgeStore) throws {
    try retry { () throws(StoreError) in
      // What failed has left no transaction open.
      defer { #expect(store.database.isAutocommit) }
      try store.save(changes)
    }
    if changes.replacesEverything { saved = [:] }
    for id in changes.forgotten { saved[id] = nil }
    for record in changes.badges { saved[record.id] = record }
    settings = changes.settings ?? settings
    #expect(store.needsSync)
  }

  private mutating func close(_ store: BadgeStore) {
    do throws(StoreError) {
      try store.close()
    } catch {
      failures += 1
    }
  }

  private mutating func retry(_ step: () throws(StoreError) -> Void) throws(StoreError) {
    for _ in 0..<3 {
      do throws(StoreError) {
        return try step()
      } catch {
        failures += 1
        #expect(!error.needsReopening && !error.refusesStart, "\(error)")
      }
    }
    try step()
  }
}

// SPDX-License-Identifier: MIT
import BadgeCore
import Testing

@testable import BadgeStore

@Suite struct BadgeStoreTests {
  /// What a store of this directory holds.
  private func reopened(_ directory: StateDirectory, bus: String = "this-bus") throws -> StoredState
  {
    let store = try BadgeStore.open(directory)
    #expect(store.setAside == nil)
    let state = try store.load(bus: bus)
    try store.close()
    return state
  }

  @Test func anEmptyStoreHoldsTheDefaults() throws {
    let scratch = Scratch()
    let state = try reopened(scratch.state)
    #expect(state.badges.isEmpty)
    #expect(state.senders.isEmpty)
    #expect(state.rejected.isEmpty)
    #expect(state.settings == StoredSettings())
  }

  @Test func aFullRecordComesBackAsItWas() throws {
    let scratch = Scratch()
    let name = try SourceName("work & home=1", key: "sources")
    var record = BadgeRecord(id: try BadgeID("My App"))
    record.native = BadgeRecord.Native(
      unnamed: try #require(try UnnamedValue.reading("v2 = ü")),
      sources: [SourceCount(name: name, count: 7)],
      isPlaceholder: true,
      isUrgent: true,
      isDismissed: true,
      progress: 1.0 / 3
    )
    record.settings = BadgeKey.allCases.compactMap { key in
      let text =
        key == .description
        ? "a=b" : key.defaultValue.map { BadgeSetting(key: key, value: $0).text }
      return text.flatMap { BadgeSetting(name: key.name, text: $0) }
    }
    #expect(record.settings.count > 15)
    record.deadline = .max
    record.owner = OwnerProcess(processID: 4_194_304, startTime: .max)
    record.dismissal = BadgeRecord.Dismissal(
      age: .max,
      native: DismissedValue(unnamed: .dot, sources: [SourceCount(name: name, count: -1)]),
      app: 0
    )
    record.app = BadgeRecord.App(isUrgent: true, progress: 0, isRemoved: true)
    record.keptAge = 1

    let store = try BadgeStore.open(scratch.state)
    try store.save(StoreChanges(record))
    try store.close()
    #expect(try reopened(scratch.state).badges == [record])
  }

  @Test func settingsComeBackAsTheyWere() throws {
    let scratch = Scratch()
    var settings = StoredSettings()
    settings.animations = false
    settings.quiet = true
    settings.quietUntil = 4_102_444_800
    settings.bootID = "6a2c0a0e-5a1b-4a37-9d0f-1c2d3e4f5a6b"
    let store = try BadgeStore.open(scratch.state)
    var changes = StoreChanges()
    changes.settings = settings
    try store.save(changes)
    #expect(store.needsSync)
    try store.sync()
    #expect(!store.needsSync)
    // Nothing differs, so nothing is written.
    try store.save(changes)
    #expect(!store.needsSync)
    settings.quiet = false
    changes.settings = settings
    try store.save(changes)
    #expect(store.needsSync)
    try store.close()
    #expect(try reopened(scratch.state).settings == settings)
  }

  @Test func sendersOfAnotherBusAreForgotten() throws {
    let scratch = Scratch()
    let app = try BadgeID("org.example.App")
    let store = try BadgeStore.open(scratch.state)
    var changes = StoreChanges()
    changes.senders = [
      SenderRecord(bus: "old", sender: ":1.1", app: app, ordinal: 1),
      SenderRecord(bus: "new", sender: ":1.2", app: app, ordinal: 9),
      SenderRecord(bus: "new", sender: ":1.1", app: app, ordinal: 3),
    ]
    try store.save(changes)
    try store.close()
    #expect(try reopened(scratch.state, bus: "new").senders.map(\.sender) == [":1.1", ":1.2"])
    #expect(try reopened(scratch.state, bus: "old").senders.isEmpty)
  }

  @Test func badgesComeBackInTheOrderOfTheirBytes() throws {
    let scratch = Scratch()
    let store = try BadgeStore.open(scratch.state)
    var changes = StoreChanges()
    let names = ["ü", "b", "e\u{301}", "\u{e9}", "B", "a", "aa", "Ω"]
    for name in names {
      var record = BadgeRecord(id: try BadgeID(name))
      record.native = BadgeRecord.Native(unnamed: .dot)
      changes.badges.append(record)
    }
    try store.save(changes)
    try store.close()
    let sorted = try names.map { try BadgeID($0) }.sorted()
    #expect(try reopened(scratch.state).badges.map(\.id) == sorted)
  }

  @Test func anEmptySetOfChangesWritesNothing() throws {
    let scratch = Scratch()
    let store = try BadgeStore.open(scratch.state)
    try store.save(StoreChanges())
    #expect(!store.needsSync)
    try store.sync()
    try store.close()
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func whateverIsSavedIsWhatAModelHolds(seed: UInt64) throws {
    let scratch = Scratch()
    var random = RandomRecords(seed: seed)
    var badges: [BadgeID: BadgeRecord] = [:]
    var senders: [String: SenderRecord] = [:]
    var settings = StoredSettings()
    var store = try BadgeStore.open(scratch.state)
    for _ in 0..<150 {
      var changes = StoreChanges()
      if random.chance(40) {
        changes.replacesEverything = true
        badges = [:]
        senders = [:]
      }
      for _ in 0..<(random.chance(2) ? 1 : Int.random(in: 0..<12, using: &random)) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          let id = random.id()
          guard !changes.badges.contains(where: { $0.id == id }) else { continue }
          changes.forgotten.append(id)
          badges[id] = nil
        case 1:
          let sender = random.sender()
          let key = "\(sender.bus) \(sender.sender) \(sender.app)"
          guard !changes.senders.contains(where: { $0.app == sender.app }) else { continue }
          changes.departed.append(sender)
          senders[key] = nil
        case 2:
          let sender = random.sender()
          changes.senders.append(sender)
          senders["\(sender.bus) \(sender.sender) \(sender.app)"] = sender
        case 3:
          settings.animations.toggle()
          settings.quietUntil = UInt64(random.next() >> 2)
          changes.settings = settings
        default:
          let record = random.record(random.id())
          changes.badges.append(record)
          badges[record.id] = record
        }
      }
      try store.save(changes)
      if random.chance(10) { try store.sync() }
      if random.chance(25) {
        try store.close()
        store = try BadgeStore.open(scratch.state)
        if random.chance(2) {
          _ = try store.load(bus: "this-bus")
          senders = senders.filter { $0.value.bus == "this-bus" }
        }
      }
    }
    try store.close()
    let state = try reopened(scratch.state)
    #expect(state.rejected.isEmpty)
    #expect(state.badges == badges.values.sorted { $0.id < $1.id })
    #expect(state.settings == settings)
    #expect(Set(state.senders) == Set(senders.values.filter { $0.bus == "this-bus" }))
    #expect(state.senders.map(\.ordinal) == state.senders.map(\.ordinal).sorted())
  }

  @Test func aBookComesBackAsItWas() throws {
    let scratch = Scratch()
    var book = BadgeBook()
    let mail = try BadgeID("org.mozilla.Thunderbird")
    let chat = try BadgeID("chat")
    let gone = try BadgeID("gone")
    _ = try book.setCount(5, for: mail)
    _ = try book.setSource("work", to: 2, for: mail)
    _ = try book.setText("new", for: chat)
    _ = try book.setCount(3, for: gone)
    _ = try book.dismiss(gone)

    let store = try BadgeStore.open(scratch.state)
    var changes = StoreChanges()
    changes.badges = book.recordedIDs.compactMap { book.record(for: $0) }
    try store.save(changes)
    try store.close()
    let restored = BadgeBook(records: try reopened(scratch.state).badges)
    #expect(restored.badges.sorted { $0.id < $1.id } == book.badges.sorted { $0.id < $1.id })
    #expect(restored.recordedIDs == book.recordedIDs)
    for id in book.recordedIDs {
      #expect(restored.record(for: id) == book.record(for: id))
    }
  }

  @Test func manySavesKeepTheLogShort() throws {
    let scratch = Scratch()
    let store = try BadgeStore.open(scratch.state)
    var record = BadgeRecord(id: try BadgeID("mail"))
    for number in 0..<5000 {
      record.native = BadgeRecord.Native(unnamed: .number(Int64(number)))
      try store.save(StoreChanges(record))
    }
    #expect(Scratch.bytes(of: scratch.state.databasePath + "-wal").count < 1_200_000)
    try store.sync()
    try store.close()
    #expect(Scratch.names(in: scratch.state.path) == ["badges.db", "lock"])
    #expect(try reopened(scratch.state).badges == [record])
  }
}

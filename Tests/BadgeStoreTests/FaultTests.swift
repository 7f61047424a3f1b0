// SPDX-License-Identifier: MIT
import BadgeCore
import Testing

@testable import BadgeStore

/// Every call of SQLite that can fail, failed once.
@Suite struct FaultTests {
  /// Fails one call, counted from the first.
  private final class OneFault {
    let victim: Int
    let code: SQLiteCode
    private(set) var calls = 0
    private(set) var failed: SQLiteCall?

    init(_ victim: Int, _ code: SQLiteCode) {
      self.victim = victim
      self.code = code
    }

    func consult(_ call: SQLiteCall) -> SQLiteCode? {
      calls += 1
      guard calls == victim else { return nil }
      failed = call
      return code
    }
  }

  @Test(arguments: [SQLiteCode.full, SQLiteCode(rawValue: 10 | 3 << 8)])
  func anyCallMayFailOnceAndNothingIsLost(code: SQLiteCode) throws {
    var seen: Set<SQLiteCall> = []
    for victim in 1... {
      let scratch = Scratch()
      let fault = OneFault(victim, code)
      var scenario = Scenario(scratch.state, faults: fault.consult)
      try scenario.run()
      guard let call = fault.failed else { break }
      seen.insert(call)
      let store = try BadgeStore.open(scratch.state)
      #expect(store.setAside == nil)
      try scenario.expectSaved(in: store)
      try store.close()
    }
    #expect(seen == Set(SQLiteCall.allCases).subtracting([.checkpoint]))
  }

  @Test func aFailedSaveLeavesTheFileAsItWas() throws {
    for victim in 1... {
      let scratch = Scratch()
      let id = try BadgeID("mail")
      var before = BadgeRecord(id: id)
      before.native = BadgeRecord.Native(unnamed: .number(1))
      let first = try BadgeStore.open(scratch.state)
      try first.save(StoreChanges(before))
      try first.close()

      var isArmed = false
      let fault = OneFault(victim, .full)
      let store = try BadgeStore.open(scratch.state) { isArmed ? fault.consult($0) : nil }
      _ = try store.load(bus: "")
      var changes = StoreChanges()
      for name in ["mail", "chat", "work"] {
        var record = BadgeRecord(id: try BadgeID(name))
        record.native = BadgeRecord.Native(unnamed: .dot)
        changes.badges.append(record)
      }
      changes.settings = StoredSettings()
      changes.settings?.quiet = true
      isArmed = true
      let failure = Result { try store.save(changes) }
      isArmed = false
      guard fault.failed != nil else { break }
      #expect(throws: StoreError.self) { try failure.get() }
      let state = try store.load(bus: "")
      #expect(state.badges == [before])
      #expect(!state.settings.quiet)
      try store.save(changes)
      #expect(try store.load(bus: "").badges.count == 3)
      try store.close()
    }
  }

  @Test func aFailedSyncIsMadeGoodByACheckpoint() throws {
    let scratch = Scratch()
    var calls: [SQLiteCall] = []
    var failing: SQLiteCall?
    let store = try BadgeStore.open(scratch.state) { call in
      if call == .sync || call == .checkpoint { calls.append(call) }
      return call == failing ? .inputOutput : nil
    }
    var record = BadgeRecord(id: try BadgeID("mail"))
    record.native = BadgeRecord.Native(unnamed: .number(1))
    try store.save(StoreChanges(record))
    failing = .sync
    #expect(throws: StoreError.self) { try store.sync() }
    #expect(store.needsSync)
    failing = .checkpoint
    #expect(throws: StoreError.self) { try store.sync() }
    #expect(store.needsSync)
    failing = nil
    try store.sync()
    #expect(!store.needsSync)
    try store.save(StoreChanges(record))
    try store.sync()
    #expect(calls == [.sync, .checkpoint, .checkpoint, .sync])
    try store.close()
  }

  @Test func manySavesAreCheckpointedBySync() throws {
    let scratch = Scratch()
    var calls: [SQLiteCall] = []
    let store = try BadgeStore.open(scratch.state) { call in
      if call == .sync || call == .checkpoint { calls.append(call) }
      return nil
    }
    var record = BadgeRecord(id: try BadgeID("mail"))
    for number in 0..<64 {
      record.native = BadgeRecord.Native(unnamed: .number(Int64(number)))
      try store.save(StoreChanges(record))
    }
    try store.sync()
    try store.sync()
    #expect(calls == [.checkpoint])
    try store.close()
  }

  @Test(arguments: [
    (SQLiteCode.corrupt, true, false), (.notADatabase, true, false), (.full, false, false),
    (.readOnly, false, false), (.busy, false, false), (.outOfMemory, false, false),
  ])
  func aFailureTellsWhatToDo(code: SQLiteCode, needsReopening: Bool, refusesStart: Bool) throws {
    let error = StoreError(
      SQLiteError(code: code, operation: "step", message: "words"),
      path: "/state/badges.db"
    )
    #expect(error.needsReopening == needsReopening)
    #expect(error.refusesStart == refusesStart)
    #expect(error.description.hasPrefix("'/state/badges.db' "))
  }
}

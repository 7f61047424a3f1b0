// SPDX-License-Identifier: MIT
import BadgeCore
import CSQLite
import Glibc
import Synchronization
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

  @Test(arguments: [ENOSPC, EIO, EFBIG])
  func anySystemCallMayFailOnceAndNothingIsLost(number: CInt) async {
    await #expect(processExitsWith: .success) { [number = number as CInt] in
      SystemCallFaults.install()
      for victim in 1... {
        let scratch = Scratch()
        SystemCallFaults.arm(victim, error: number)
        var scenario = Scenario(scratch.state)
        try scenario.run()
        let isOver = SystemCallFaults.disarm()
        let store = try BadgeStore.open(scratch.state)
        #expect(store.setAside == nil)
        try scenario.expectSaved(in: store)
        try store.close()
        if isOver {
          #expect(victim > 50)
          break
        }
      }
    }
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

/// Lets one of the system calls that SQLite makes fail.
///
/// By the door that its Unix VFS keeps open for tests (`xSetSystemCall`). Holds for the whole process, so only for one that runs a single test.
enum SystemCallFaults {
  private static let countdown = Atomic<Int>(0)
  private static let error = Atomic<CInt>(0)

  /// Fails the so-many-th call from now on with an error number.
  static func arm(_ call: Int, error number: CInt) {
    error.store(number, ordering: .relaxed)
    countdown.store(call, ordering: .relaxed)
  }

  /// Whether the call that was to fail has not come yet; none fails any more.
  static func disarm() -> Bool {
    countdown.exchange(0, ordering: .relaxed) > 0
  }

  /// Takes the place of the calls.
  static func install() {
    guard let vfs = unsafe sqlite3_vfs_find(nil), let set = unsafe vfs.pointee.xSetSystemCall
    else { preconditionFailure() }
    let write: @convention(c) (CInt, UnsafeRawPointer?, Int, off_t) -> Int = {
      unsafe SystemCallFaults.fails() ? -1 : pwrite($0, $1, $2, $3)
    }
    let read: @convention(c) (CInt, UnsafeMutableRawPointer?, Int, off_t) -> Int = {
      unsafe SystemCallFaults.fails() ? -1 : pread($0, $1, $2, $3)
    }
    let truncate: @convention(c) (CInt, off_t) -> CInt = {
      SystemCallFaults.fails() ? -1 : ftruncate($0, $1)
    }
    let opening: @convention(c) (UnsafePointer<CChar>?, CInt, CInt) -> CInt = { path, flags, mode in
      guard let path = unsafe path, !SystemCallFaults.fails() else { return -1 }
      return unsafe open(path, flags | O_CLOEXEC, mode_t(mode))
    }
    let remove: @convention(c) (UnsafePointer<CChar>?) -> CInt = {
      guard let path = unsafe $0, !SystemCallFaults.fails() else { return -1 }
      return unsafe unlink(path)
    }
    typealias Call = @convention(c) () -> Void
    for name in ["pwrite", "pwrite64"] {
      unsafe _ = set(vfs, name, unsafeBitCast(write, to: Call.self))
    }
    for name in ["pread", "pread64"] {
      unsafe _ = set(vfs, name, unsafeBitCast(read, to: Call.self))
    }
    unsafe _ = set(vfs, "ftruncate", unsafeBitCast(truncate, to: Call.self))
    unsafe _ = set(vfs, "open", unsafeBitCast(opening, to: Call.self))
    unsafe _ = set(vfs, "unlink", unsafeBitCast(remove, to: Call.self))
  }

  private static func fails() -> Bool {
    guard countdown.load(ordering: .relaxed) > 0,
      countdown.subtract(1, ordering: .relaxed).newValue == 0
    else { return false }
    errno = error.load(ordering: .relaxed)
    return true
  }
}

// SPDX-License-Identifier: MIT
import BadgeCore
import CLinux
import Glibc
import Testing

@testable import BadgeStore

/// Disks that fail, are full, or can only be read.
@Suite struct DiskTests {
  /// Fills what room there is while a store saves, gives it back, and looks at what is there.
  private static func fillAndEmpty(
    _ directory: StateDirectory,
    fill: () -> Void,
    empty: () -> Void
  ) throws {
    let store = try BadgeStore.open(directory)
    var random = RandomRecords(seed: 21)
    var saved: [BadgeID: BadgeRecord] = [:]
    var waiting: [BadgeID: BadgeRecord] = [:]
    var failures = 0
    for turn in 0..<600 {
      if turn == 200 { fill() }
      if turn == 400 { empty() }
      let record = random.record(random.id(among: 90))
      waiting[record.id] = record
      var changes = StoreChanges()
      changes.badges = Array(waiting.values)
      do throws(StoreError) {
        try store.save(changes)
        if turn % 100 == 0 { try store.sync() }
        saved.merge(waiting) { $1 }
        waiting = [:]
      } catch {
        failures += 1
        guard case .unavailable = error else { throw error }
        // While there is no room, what is in the file can still be read.
        if failures % 20 == 1 {
          #expect(try store.load(bus: "").badges.count == saved.count)
        }
      }
    }
    #expect(failures > 0)
    #expect(waiting.isEmpty)
    try store.sync()
    #expect(try store.load(bus: "").badges == saved.values.sorted { $0.id < $1.id })
    try store.close()
    let again = try BadgeStore.open(directory)
    #expect(again.setAside == nil)
    #expect(try again.load(bus: "").badges == saved.values.sorted { $0.id < $1.id })
    try again.close()
  }

  @Test func aFileThatMayNotGrowIsServedAgainWhenItMay() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      let scratch = Scratch()
      let whole = rlim_t(1) << 40
      try Self.fillAndEmpty(scratch.state) {
        var limit = rlimit(rlim_cur: 60_000, rlim_max: whole)
        unsafe setrlimit(__rlimit_resource_t(1), &limit)
      } empty: {
        var limit = rlimit(rlim_cur: whole, rlim_max: whole)
        unsafe setrlimit(__rlimit_resource_t(1), &limit)
      }
    }
  }

  /// Mounts a small disk in memory; false where that is not permitted, as for users other than root.
  private static func mountSmallDisk(at path: String) -> Bool {
    unsafe mkdir(path, 0o700)
    return unsafe mount("tmpfs", path, "tmpfs", 0, "size=1m,mode=700") == 0
  }

  /// Makes a disk read-only, or writable again.
  private static func remount(_ path: String, readOnly: Bool) -> Bool {
    unsafe mount(nil, path, nil, UInt(MS_REMOUNT | (readOnly ? MS_RDONLY : 0)), nil) == 0
  }

  /// Takes all room there is on a disk.
  private static func fill(_ path: String) {
    let descriptor = unsafe open(path + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let block = [UInt8](repeating: 1, count: 512)
    while unsafe Glibc.write(descriptor, block, block.count) > 0 {}
    close(descriptor)
  }

  private static func empty(_ path: String) {
    // A child that is just being spawned may hold the file, and an unlinked file keeps its blocks.
    unsafe truncate(path + "/filler", 0)
    unsafe unlink(path + "/filler")
  }

  @Test func aDiskThatFillsAndEmptiesLosesNothing() throws {
    let scratch = Scratch()
    let disk = scratch.path + "/disk"
    guard Self.mountSmallDisk(at: disk) else { return }
    defer { unsafe umount2(disk, CInt(MNT_DETACH)) }
    try Self.fillAndEmpty(StateDirectory(path: disk + "/state")) {
      Self.fill(disk)
    } empty: {
      Self.empty(disk)
    }
  }

  @Test func aDiskThatIsFullAtTheStartIsUsedOnceThereIsRoom() throws {
    let scratch = Scratch()
    let disk = scratch.path + "/disk"
    guard Self.mountSmallDisk(at: disk) else { return }
    defer { unsafe umount2(disk, CInt(MNT_DETACH)) }
    let directory = StateDirectory(path: disk + "/state")
    Self.fill(disk)
    let error = #expect(throws: StoreError.self) { try BadgeStore.open(directory) }
    #expect(error?.refusesStart == false && error?.needsReopening == false)
    Self.empty(disk)

    var record = BadgeRecord(id: try BadgeID("mail"))
    record.native = BadgeRecord.Native(unnamed: .number(5))
    var store = try BadgeStore.open(directory)
    try store.save(StoreChanges(record))
    try store.close()

    // What is there can be read on a full disk.
    Self.fill(disk)
    store = try BadgeStore.open(directory)
    #expect(store.setAside == nil)
    #expect(try store.load(bus: "").badges == [record])
    record.native = BadgeRecord.Native(unnamed: .number(6))
    #expect(throws: StoreError.self) { try store.save(StoreChanges(record)) }
    #expect(try store.load(bus: "").badges.first?.native?.unnamed == .number(5))
    Self.empty(disk)
    try store.save(StoreChanges(record))
    try store.sync()
    try store.close()
    store = try BadgeStore.open(directory)
    #expect(try store.load(bus: "").badges == [record])
    try store.close()
  }

  @Test func aReadOnlyDiskIsReadByWayOfACopy() throws {
    let scratch = Scratch()
    let disk = scratch.path + "/disk"
    guard Self.mountSmallDisk(at: disk) else { return }
    defer { unsafe umount2(disk, CInt(MNT_DETACH)) }
    let directory = StateDirectory(path: disk + "/state")
    let origin = scratch.state
    var record = BadgeRecord(id: try BadgeID("mail"))
    record.native = BadgeRecord.Native(unnamed: .number(5))
    let first = try BadgeStore.open(origin)
    try first.save(StoreChanges(record))
    // As after a kill: all is in the log.
    try directory.prepare()
    Scratch.write([], to: directory.lockPath)
    for suffix in ["", "-wal"] {
      Scratch.write(
        Scratch.bytes(of: origin.databasePath + suffix),
        to: directory.databasePath + suffix
      )
    }
    try first.close()

    #expect(Self.remount(disk, readOnly: true))
    let error = #expect(throws: StoreError.self) { try BadgeStore.open(directory) }
    #expect(error?.refusesStart == false && error?.needsReopening == false)
    #expect(error?.description == "'\(directory.databasePath)' can't be used: it can only be read")
    let places = [disk, scratch.path]
    let state = BadgeStore.readCopy(of: directory, bus: "", scratch: places)
    #expect(state?.badges == [record])
    #expect(Scratch.names(in: scratch.path) == ["disk", "state"])

    #expect(Self.remount(disk, readOnly: false))
    let store = try BadgeStore.open(directory)
    #expect(try store.load(bus: "").badges == [record])
    try store.close()
  }

  @Test func aFileThatAnotherProgramHasOpenIsReadByWayOfACopy() throws {
    let scratch = Scratch()
    let directory = scratch.state
    var record = BadgeRecord(id: try BadgeID("mail"))
    record.native = BadgeRecord.Native(unnamed: .number(5))
    let store = try BadgeStore.open(directory)
    try store.save(StoreChanges(record))
    try store.close()

    let other = try Database(path: directory.databasePath)
    #expect(try other.integer("SELECT count(*) FROM badge") == 1)
    let error = #expect(throws: StoreError.self) { try BadgeStore.open(directory) }
    #expect(error == .busy(path: directory.databasePath))
    #expect(error?.refusesStart == false && error?.needsReopening == false)
    #expect(BadgeStore.readCopy(of: directory, bus: "")?.badges == [record])
    try other.close()
    try BadgeStore.open(directory).close()
  }

  @Test func whereNothingIsThereNothingIsRead() throws {
    let scratch = Scratch()
    #expect(BadgeStore.readCopy(of: scratch.state, bus: "") == nil)
    try scratch.state.prepare()
    Scratch.write([1, 2, 3], to: scratch.state.databasePath)
    #expect(BadgeStore.readCopy(of: scratch.state, bus: "") == nil)
    #expect(Scratch.bytes(of: scratch.state.databasePath) == [1, 2, 3])
  }
}

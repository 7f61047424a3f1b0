// SPDX-License-Identifier: MIT
import BadgeCore
import Glibc
import Testing

@testable import BadgeStore

/// Files that a failing disk, or a failing hand, left behind.
@Suite struct DamageTests {
  /// The files of a store with some of everything in it: one closed in order, or one whose process
  /// was killed, with all in the write-ahead log.
  private static func files(killed: Bool) throws -> (database: [UInt8], log: [UInt8]) {
    let scratch = Scratch()
    var random = RandomRecords(seed: 7)
    let store = try BadgeStore.open(scratch.state)
    for _ in 0..<6 {
      var changes = StoreChanges()
      changes.badges = (0..<12).map { _ in random.record(random.id()) }
      changes.senders = [random.sender(), random.sender()]
      try store.save(changes)
    }
    if !killed { try store.close() }
    return (
      Scratch.bytes(of: scratch.state.databasePath),
      Scratch.bytes(of: scratch.state.databasePath + "-wal")
    )
  }

  /// Opens damaged files and uses what comes of it; nothing may trap.
  ///
  /// - Returns: What was found.
  private static func survives(
    _ database: [UInt8],
    _ log: [UInt8],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let scratch = Scratch()
    let directory = scratch.state
    try directory.prepare()
    Scratch.write(database, to: directory.databasePath)
    if !log.isEmpty { Scratch.write(log, to: directory.databasePath + "-wal") }
    let store: BadgeStore
    do throws(StoreError) {
      store = try BadgeStore.open(directory)
    } catch {
      // A bit of the version number looks like a later version, and is left alone.
      guard case .newerVersion = error else { throw error }
      return .newer
    }
    var outcome = Outcome.whole
    if let aside = store.setAside {
      outcome = .aside
      let kept = Scratch.bytes(of: aside.path)
      #expect(kept == database, "the file kept aside differs", sourceLocation: sourceLocation)
      #expect(try store.load(bus: "this-bus").badges.isEmpty, sourceLocation: sourceLocation)
    }
    var state = StoredState()
    do throws(StoreError) {
      state = try store.load(bus: "this-bus")
    } catch {
      guard case .damaged = error else { throw error }
      return .later
    }
    _ = BadgeBook(records: state.badges)
    var record = BadgeRecord(id: try BadgeID("after"))
    record.native = BadgeRecord.Native(unnamed: .number(5))
    do throws(StoreError) {
      try store.save(StoreChanges(record))
      try store.sync()
    } catch {
      guard case .damaged = error else { throw error }
      return .later
    }
    try store.close()
    let again = try BadgeStore.open(directory)
    let badges = try again.load(bus: "this-bus").badges
    #expect(badges.contains(record), sourceLocation: sourceLocation)
    try again.close()
    return outcome
  }

  private enum Outcome { case whole, aside, newer, later }

  @Test func flippedBitsInTheFileNeverTrap() throws {
    let (database, _) = try Self.files(killed: false)
    // Every byte of the header and of the first pages' headers, and every eleventh byte elsewhere.
    var outcomes: [Outcome: Int] = [:]
    for offset in 0..<database.count where offset < 120 || offset % 1024 < 12 || offset % 53 == 0 {
      var damaged = database
      damaged[offset] ^= 1 << (offset % 8)
      outcomes[try Self.survives(damaged, []), default: 0] += 1
    }
    #expect(outcomes[.aside, default: 0] > 20)
    #expect(outcomes[.newer, default: 0] <= 4)
  }

  @Test func flippedBitsInTheLogNeverTrap() throws {
    let (database, log) = try Self.files(killed: true)
    #expect(log.count > 10_000)
    for offset in 0..<log.count where offset < 100 || offset % 211 == 0 {
      var damaged = log
      damaged[offset] ^= 1 << (offset % 8)
      _ = try Self.survives(database, damaged)
    }
  }

  @Test func truncatedFilesNeverTrap() throws {
    let (database, _) = try Self.files(killed: false)
    // What is missing of the last page reads as zeros.
    for length in Array(0..<130) + Array(stride(from: 130, to: database.count - 1024, by: 331)) {
      let outcome = try Self.survives(Array(database[..<length]), [])
      // Nothing at all is a new file, and SQLite takes a single byte for nothing.
      #expect((outcome == .whole) == (length <= 1), "\(length)")
    }
  }

  @Test func truncatedLogsNeverTrap() throws {
    let (database, log) = try Self.files(killed: true)
    for length in Array(0..<60) + Array(stride(from: 60, to: log.count, by: 401)) {
      _ = try Self.survives(database, Array(log[..<length]))
    }
  }

  @Test func wholePagesOfNoiseNeverTrap() throws {
    let (database, log) = try Self.files(killed: false)
    var random = RandomRecords(seed: 3)
    for page in 0..<database.count / 1024 {
      var damaged = database
      for offset in 0..<1024 {
        damaged[page * 1024 + offset] = UInt8(truncatingIfNeeded: random.next())
      }
      #expect(try Self.survives(damaged, log) == .aside, "\(page)")
    }
  }

  @Test func aFileKeptAsideHasADatedNameAndItsLogWithIt() throws {
    let (database, log) = try Self.files(killed: true)
    let scratch = Scratch()
    let directory = scratch.state
    for _ in 0..<3 {
      try directory.prepare()
      // A page count and a checksum can't help a file whose schema is noise.
      var noise = database
      if noise.isEmpty { noise = [UInt8](repeating: 0, count: 1024) }
      noise.replaceSubrange(0..<16, with: Array("something else!!".utf8))
      Scratch.write(noise, to: directory.databasePath)
      Scratch.write(Array(log[..<16]), to: directory.databasePath + "-wal")
      let store = try BadgeStore.open(directory)
      let aside = try #require(store.setAside)
      #expect(
        aside.description
          == "the state file was damaged (\(aside.reason)) and is kept as '\(aside.path)'; a new one begins"
      )
      #expect(Scratch.bytes(of: aside.path) == noise)
      #expect(Scratch.permissions(of: aside.path) == 0o600)
      try store.close()
    }
    let names = Scratch.names(in: directory.path).filter { $0.hasPrefix("badges.db.damaged-") }
    #expect(names.filter { !$0.hasSuffix("-wal") }.count == 3)
    let digits = names[0].dropFirst("badges.db.damaged-".count).prefix(16)
    #expect(digits.count == 16 && digits.last == "Z" && digits.dropFirst(8).first == "T")
  }

  @Test func aFileThatIsTakenAwayIsNoticed() throws {
    let scratch = Scratch()
    let directory = scratch.state
    var record = BadgeRecord(id: try BadgeID("mail"))
    record.native = BadgeRecord.Native(unnamed: .number(5))
    for victim in [directory.databasePath, directory.databasePath + "-wal"] {
      let store = try BadgeStore.open(directory)
      try store.save(StoreChanges(record))
      unsafe unlink(victim)
      try store.save(StoreChanges(record))
      let error = #expect(throws: StoreError.self) { try store.sync() }
      #expect(error == .removed(path: directory.databasePath))
      #expect(error?.needsReopening == true)
      try? store.close()

      let again = try BadgeStore.open(directory)
      try again.save(StoreChanges(record))
      try again.sync()
      try again.close()
    }
    let store = try BadgeStore.open(directory)
    #expect(try store.load(bus: "").badges == [record])
    try store.close()
  }

  @Test func aFileThatIsDamagedWhileItIsOpenIsKeptAsideAtTheNextOpening() throws {
    let scratch = Scratch()
    let directory = scratch.state
    var random = RandomRecords(seed: 9)
    var changes = StoreChanges()
    changes.badges = (0..<6000).map { _ in random.record(random.id(among: 1_000_000)) }
    var store = try BadgeStore.open(directory)
    try store.save(changes)
    try store.close()
    store = try BadgeStore.open(directory)
    var bytes = Scratch.bytes(of: directory.databasePath)
    for offset in 4096..<bytes.count { bytes[offset] = 0xAA }
    let descriptor = unsafe open(directory.databasePath, O_WRONLY | O_CLOEXEC)
    #expect(unsafe pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
    close(descriptor)

    let error = #expect(throws: StoreError.self) {
      for record in changes.badges { try store.save(StoreChanges(record)) }
    }
    #expect(error?.needsReopening == true)
    try? store.close()
    store = try BadgeStore.open(directory)
    #expect(store.setAside != nil)
    try store.save(changes)
    try store.close()
  }
}

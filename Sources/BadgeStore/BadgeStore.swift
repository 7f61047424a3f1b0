// SPDX-License-Identifier: MIT
private import Glibc

/// The state on disk: an SQLite file in a directory that this process has locked.
///
/// What a returned ``save(_:)`` has written survives any end of this process, and a power cut once
/// ``sync()`` has returned. The cost of saving depends on what is saved, not on what is stored. A save
/// that fails leaves the file unchanged and can be retried.
public final class BadgeStore {
  /// The directory of the file.
  public let directory: StateDirectory
  /// The file that ``open(_:waiting:)`` found damaged, or not ours, and kept under another name.
  public private(set) var setAside: SetAside?
  /// Whether a power cut could still undo a save.
  public private(set) var needsSync = false

  let database: Database
  /// Nil once closed.
  private var tables: Tables?
  private let lock: StateLock?
  private let file: stat?
  private var savesSinceCheckpoint = 0
  private var mustCheckpoint = false

  /// After how many saves ``sync()`` empties the write-ahead log: each one that rewrites the same
  /// page makes finding that page in the log slower.
  private static let savesBeforeCheckpoint = 64

  private init(
    directory: StateDirectory,
    database: Database,
    tables: Tables,
    lock: StateLock?
  ) {
    self.directory = directory
    self.database = database
    self.tables = tables
    self.lock = lock
    file = FileSystem.status(of: directory.databasePath)
  }

  /// Loads everything.
  ///
  /// - Parameter bus: The GUID of the current bus; senders on any other are deleted.
  /// - Returns: All that is valid, badges ordered by the bytes of their ids.
  /// - Throws: ``StoreError/damaged(path:detail:)`` or ``StoreError/unavailable(path:detail:)``.
  public func load(bus: String) throws(StoreError) -> StoredState {
    try withTables { tables throws(SQLiteError) in
      var state = StoredState()
      try tables.settings.load(into: &state)
      try tables.badges.load(into: &state)
      try tables.senders.load(bus: bus, into: &state)
      // If this fails, the rows only stay longer.
      try? tables.senders.forgetAll(exceptOn: bus)
      return state
    }
  }

  /// Saves changes, all or nothing.
  ///
  /// - Throws: ``StoreError/unavailable(path:detail:)`` if the disk is full or failing,
  ///   ``StoreError/damaged(path:detail:)``. The file is unchanged.
  public func save(_ changes: StoreChanges) throws(StoreError) {
    let isSaved = try withTables { tables throws(SQLiteError) in
      let settings = changes.settings.flatMap { tables.settings.differ(from: $0) ? $0 : nil }
      let rows =
        changes.badges.count + changes.forgotten.count + changes.senders.count
        + changes.departed.count
      let isRowsOnly = !changes.replacesEverything && settings == nil
      if rows == 0, isRowsOnly { return false }
      let isOneStatement =
        rows == 1 && isRowsOnly && tables.badges.areOneStatementEach(in: changes)
      try tables.change(inOneStatement: isOneStatement) { () throws(SQLiteError) in
        if changes.replacesEverything {
          try tables.badges.forgetAll()
          try tables.senders.forgetAll()
        }
        for id in changes.forgotten { try tables.badges.forget(id) }
        for record in changes.badges { try tables.badges.save(record) }
        if let settings { try tables.settings.save(settings) }
        for record in changes.departed { try tables.senders.forget(record) }
        for record in changes.senders { try tables.senders.save(record) }
      }
      return true
    }
    guard isSaved else { return }
    savesSinceCheckpoint += 1
    needsSync = true
  }

  /// Makes everything saved so far survive a power cut; does nothing unless ``needsSync``.
  ///
  /// - Throws: ``StoreError/removed(path:)`` if the file is not there any more,
  ///   ``StoreError/unavailable(path:detail:)`` if the disk fails.
  public func sync() throws(StoreError) {
    guard needsSync else { return }
    let path = directory.databasePath
    guard let file, FileSystem.status(of: path)?.isSameFile(as: file) == true,
      FileSystem.status(of: path + "-wal") != nil
    else { throw .removed(path: path) }
    do {
      if mustCheckpoint || savesSinceCheckpoint >= Self.savesBeforeCheckpoint {
        try database.checkpoint()
        savesSinceCheckpoint = 0
        mustCheckpoint = false
      } else {
        try database.syncLog()
      }
    } catch {
      // After a failed sync the kernel may consider the log's pages clean: only writing them
      // elsewhere makes them safe.
      mustCheckpoint = true
      throw StoreError(error, path: path)
    }
    needsSync = false
  }

  /// Merges the write-ahead log into the file, syncs it, and releases the lock; the store can't be
  /// used afterwards.
  ///
  /// - Throws: What failed. The lock has been released nevertheless, and what was saved is in the log.
  public func close() throws(StoreError) {
    tables = nil
    defer { lock?.release() }
    do {
      try database.close()
    } catch {
      throw StoreError(error, path: directory.databasePath)
    }
  }

  private func withTables<Value>(
    _ body: (Tables) throws(SQLiteError) -> Value
  ) throws(StoreError) -> Value {
    guard let tables else { throw .unavailable(path: directory.databasePath, detail: "closed") }
    do {
      return try body(tables)
    } catch {
      throw StoreError(error, path: directory.databasePath)
    }
  }
}

extension BadgeStore {
  /// Opens the state in a directory, or creates it, and locks out other instances.
  ///
  /// A file that is damaged, or not of this program, is kept under a dated name (see ``setAside``)
  /// and replaced by an empty one.
  ///
  /// - Parameters:
  ///   - directory: Created with its parents if missing (0700; files 0600).
  ///   - milliseconds: How long to wait for another instance to release the directory.
  /// - Returns: The store; ``load(bus:)`` reads what is in it.
  /// - Throws: ``StoreError/inUse(directory:processID:)``,
  ///   ``StoreError/newerVersion(path:found:known:)``, ``StoreError/busy(path:)``,
  ///   ``StoreError/unavailable(path:detail:)``.
  public static func open(
    _ directory: StateDirectory,
    waiting milliseconds: Int = 0
  ) throws(StoreError) -> BadgeStore {
    try open(directory, waiting: milliseconds, faults: nil)
  }

  /// Like ``open(_:waiting:)``, with calls into SQLite that a test can make fail.
  package static func open(
    _ directory: StateDirectory,
    waiting milliseconds: Int = 0,
    faults: FaultHook?
  ) throws(StoreError) -> BadgeStore {
    try directory.prepare()
    let lock = try StateLock.take(in: directory, waiting: milliseconds)
    var damage = ""
    // A disk that fails for a moment can make the file look damaged: try twice.
    for _ in 0..<2 {
      do {
        return try openFile(in: directory, lock: lock, faults: faults)
      } catch {
        guard case .damaged(_, let detail) = error else { throw error }
        damage = detail
      }
    }
    let path = try directory.setDatabaseAside()
    do {
      let store = try openFile(in: directory, lock: lock, faults: faults)
      store.setAside = SetAside(path: path, reason: damage)
      return store
    } catch {
      guard case .damaged(let path, let detail) = error else { throw error }
      // If even a new file reads as damaged, it is the disk.
      throw .unavailable(path: path, detail: detail)
    }
  }

  /// Loads the state of a directory that can't be opened for writing, from a copy of its files.
  ///
  /// Makes the badges visible on a read-only disk, or while another program has the file open, until
  /// ``open(_:waiting:)`` succeeds. The files themselves are not touched.
  ///
  /// - Parameters:
  ///   - directory: The directory that could not be opened.
  ///   - bus: The GUID of the current bus.
  ///   - scratch: Directories for the temporary copy; the first that is writable is used.
  /// - Returns: What can be read; nil if nothing can.
  public static func readCopy(
    of directory: StateDirectory,
    bus: String,
    scratch: [String] = ["/dev/shm", "/tmp"]
  ) -> StoredState? {
    guard FileSystem.status(of: directory.databasePath) != nil else { return nil }
    for place in scratch {
      let copy = StateDirectory(path: "\(place)/badged-copy-\(getpid())")
      guard (try? FileSystem.makeDirectory(copy.path, permissions: 0o700)) != nil else { continue }
      defer { FileSystem.removeDirectory(copy.path) }
      do {
        try FileSystem.copy(directory.databasePath, to: copy.databasePath)
        try FileSystem.copy(directory.databasePath + "-wal", to: copy.databasePath + "-wal")
      } catch {
        guard error.number == ENOENT else { continue }
      }
      guard let store = try? openFile(in: copy, lock: nil, faults: nil) else { return nil }
      defer { try? store.close() }
      return try? store.load(bus: bus)
    }
    return nil
  }

  /// Opens the file once; a file that is not ours counts as damaged.
  private static func openFile(
    in directory: StateDirectory,
    lock: StateLock?,
    faults: FaultHook?
  ) throws(StoreError) -> BadgeStore {
    let path = directory.databasePath
    try directory.prepareFiles()
    let database: Database
    let finding: Schema.Finding
    do {
      database = try Database(path: path, faults: faults)
      database.setBusyTimeout(milliseconds: 500)
      finding = try Schema.examine(database)
    } catch {
      throw failure(error, path: path)
    }
    switch finding {
    case .newer(let version):
      throw .newerVersion(path: path, found: version, known: Schema.version)
    case .foreign(let reason):
      throw .damaged(path: path, detail: reason)
    case .ours(_) where database.isReadOnly:
      // Either the file can't be written, or a damaged header says so.
      throw FileSystem.isWritable(path)
        ? .damaged(path: path, detail: "its header says that it is read-only")
        : .unavailable(path: path, detail: canOnlyBeRead)
    case .ours(let version):
      do {
        let tables = try prepare(database, version: version, path: path)
        return BadgeStore(directory: directory, database: database, tables: tables, lock: lock)
      } catch {
        throw failure(error, path: path)
      }
    }
  }

  private static func prepare(
    _ database: Database,
    version: Int64,
    path: String
  ) throws(SQLiteError) -> Tables {
    // A commit writes whole pages: small ones make it cheap.
    if version == 0 { try database.run("PRAGMA page_size = 1024") }
    try database.beginWriting()
    try Schema.migrate(database, from: version)
    // After a failed system call SQLite may use a rollback journal, whatever it reports. The log
    // exists once something has been read through it.
    _ = try database.integer("PRAGMA schema_version")
    guard FileSystem.status(of: path + "-wal") != nil else { throw .noWriteAheadLog }
    let tables = try Tables(database)
    guard try Schema.isIntact(database) else {
      throw SQLiteError(code: .error, operation: "prepare", message: "a table has been altered")
    }
    return tables
  }

  /// What a failure to open a file means.
  private static func failure(_ error: SQLiteError, path: String) -> StoreError {
    // A statement of ours is only wrong if a table is, which is so for good.
    if case .error = error.code, error.operation == "prepare" || error.operation == "step" {
      return .damaged(path: path, detail: "\(error)")
    }
    let meaning = StoreError(error, path: path)
    if case .unavailable = meaning, !FileSystem.isWritable(path) {
      // SQLite reports an I/O error for a read-only file that it can't lock.
      return .unavailable(path: path, detail: canOnlyBeRead)
    }
    return meaning
  }

  private static let canOnlyBeRead = "it can only be read"
}

// SPDX-License-Identifier: MIT

extension BadgeStore {
  /// Opens the state of a directory, or begins one, and keeps other instances out of it.
  ///
  /// A file that is damaged, or not a file of this program, is kept aside under a dated name (see
  /// ``setAside``), and an empty one takes its place.
  ///
  /// - Parameters:
  ///   - directory: Created, with those above it, where it is missing (0700; files 0600).
  ///   - milliseconds: How long another instance may take to give the directory up, in milliseconds.
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

  /// As ``open(_:waiting:)``, with calls of SQLite that fail when a test says so.
  package static func open(
    _ directory: StateDirectory,
    waiting milliseconds: Int = 0,
    faults: FaultHook?
  ) throws(StoreError) -> BadgeStore {
    try directory.prepare()
    let lock = try StateLock.take(in: directory, waiting: milliseconds)
    var damage = ""
    // A disk that fails for a moment can make a whole file look damaged; it won't do so twice.
    for _ in 0..<2 {
      do {
        return try open(directory, lock: lock, faults: faults)
      } catch {
        guard case .damaged(_, let detail) = error else { throw error }
        damage = detail
      }
    }
    let kept = try directory.setDatabaseAside()
    do {
      let store = try open(directory, lock: lock, faults: faults)
      store.setAside = SetAside(path: kept, reason: damage)
      return store
    } catch {
      guard case .damaged(let path, let detail) = error else { throw error }
      // An empty file that reads as damaged: it is the disk.
      throw .unavailable(path: path, detail: detail)
    }
  }

  /// Opens the file once; throws ``StoreError/damaged(path:detail:)`` also for one that is not ours.
  static func open(
    _ directory: StateDirectory,
    lock: StateLock?,
    faults: FaultHook?
  ) throws(StoreError) -> BadgeStore {
    let path = directory.databasePath
    try directory.prepareFiles()
    let attempt: Attempt
    do {
      attempt = try Self.attempt(path: path, faults: faults)
    } catch {
      // What is wrong with a statement of ours is the table it names, and will not go away.
      if case .error = error.code, error.operation == "prepare" || error.operation == "step" {
        throw .damaged(path: path, detail: "\(error)")
      }
      let meaning = StoreError(error, path: path)
      if case .unavailable = meaning, !FileSystem.isWritable(path) {
        // SQLite calls it an I/O error that a file which can only be read can't be locked.
        throw .unavailable(path: path, detail: canOnlyBeRead)
      }
      throw meaning
    }
    switch attempt {
    case .opened(let database, let tables):
      return BadgeStore(directory: directory, database: database, tables: tables, lock: lock)
    case .newer(let version):
      throw .newerVersion(path: path, found: version, known: Schema.version)
    case .foreign(let reason):
      throw .damaged(path: path, detail: reason)
    case .readOnly:
      // A bit in the header can say so too.
      if FileSystem.isWritable(path) {
        throw .damaged(path: path, detail: "its header says that it is read-only")
      }
      throw .unavailable(path: path, detail: canOnlyBeRead)
    }
  }

  private static let canOnlyBeRead = "it can only be read"

  private enum Attempt {
    case opened(Database, Tables)
    case newer(Int64)
    case foreign(String)
    case readOnly
  }

  private static func attempt(path: String, faults: FaultHook?) throws(SQLiteError) -> Attempt {
    let database = try Database(path: path, faults: faults)
    database.setBusyTimeout(milliseconds: 500)
    var version: Int64 = 0
    switch try Schema.examine(database) {
    case .empty:
      // A commit writes whole pages, so that small ones make it cheap.
      try database.run("PRAGMA page_size = 1024")
    case .ours(let found): version = found
    case .newer(let found): return .newer(found)
    case .foreign(let reason): return .foreign(reason)
    }
    if database.isReadOnly { return .readOnly }
    try database.beginWriting()
    try Schema.migrate(database, from: version)
    // A system call that failed can leave SQLite with a rollback journal, whatever it says itself.
    // The log is there once something has been read by way of it.
    _ = try database.integer("PRAGMA schema_version")
    guard FileSystem.status(of: path + "-wal") != nil else {
      throw SQLiteError(code: .cannotOpen, operation: "journal", message: "no write-ahead log")
    }
    return .opened(database, try Tables(database))
  }
}

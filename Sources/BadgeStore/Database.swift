// SPDX-License-Identifier: MIT
private import CSQLite

/// A connection to one SQLite file, held by this process alone.
///
/// Opened with `SQLITE_OPEN_NOMUTEX`: one thread uses it. Statements of it must be ended before
/// ``close()``. The corresponding C type is `sqlite3`.
@safe package final class Database {
  private var raw: OpaquePointer?
  private let faults: FaultHook?

  /// Without statistics each allocation of SQLite goes without a lock; decided before its first use.
  private static let library: CInt = csqlite_config(SQLITE_CONFIG_MEMSTATUS, 0)

  /// Opens or creates a file, and takes it for this process alone
  /// (sqlite.org/wal.html#noshm: no shared memory, and no locking at each commit).
  ///
  /// Nothing is written, not even by closing, until ``beginWriting()``.
  ///
  /// - Parameters:
  ///   - path: Where the file lies.
  ///   - faults: Consulted before each call that can fail.
  /// - Throws: What `sqlite3_open_v2` or a setting failed with.
  package init(path: String, faults: FaultHook? = nil) throws(SQLiteError) {
    self.faults = faults
    _ = Self.library
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let forced = faults?(.open)
    let status = unsafe forced?.rawValue ?? sqlite3_open_v2(path, &opened, flags, nil)
    unsafe raw = opened
    guard status == SQLITE_OK else {
      let error = failure(status, "open")
      unsafe sqlite3_close_v2(opened)
      unsafe raw = nil
      throw error
    }
    // A file that somebody edited must not make us run what it says.
    try configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    try configure(SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    try configure(SQLITE_DBCONFIG_DEFENSIVE, 1)
    try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    try run("PRAGMA cell_size_check = ON")
    try run("PRAGMA locking_mode = EXCLUSIVE")
    try run("PRAGMA temp_store = MEMORY")
  }

  deinit {
    // A statement that outlives its database keeps it until it ends itself.
    unsafe sqlite3_close_v2(raw)
  }

  /// Makes the file one with a write-ahead log, if it is not yet, and lets ``close()`` move the log
  /// into the file.
  ///
  /// `synchronous=NORMAL`: a commit survives any end of this process, and a power cut only after
  /// ``syncLog()`` or ``checkpoint()``. The limits keep log, memory and time per commit small.
  package func beginWriting() throws(SQLiteError) {
    let mode = try text("PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw SQLiteError(code: .cannotOpen, operation: "journal", message: "no write-ahead log")
    }
    try run("PRAGMA synchronous = NORMAL")
    try run("PRAGMA wal_autocheckpoint = 1000")
    try run("PRAGMA journal_size_limit = 1048576")
    try run("PRAGMA cache_size = 256")
    try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
  }

  /// Whether the file can't be written, as far as is known: true only after something was read.
  package var isReadOnly: Bool {
    unsafe raw == nil || sqlite3_db_readonly(raw, "main") != 0
  }

  /// Waits that long for another process's lock before a call fails with ``SQLiteCode/busy``.
  package func setBusyTimeout(milliseconds: CInt) {
    unsafe _ = sqlite3_busy_timeout(raw, milliseconds)
  }

  /// Ends the connection.
  ///
  /// The corresponding C functions are `sqlite3_close`, and `sqlite3_close_v2` where that fails, so
  /// that the connection has ended either way.
  ///
  /// - Throws: ``SQLiteCode/busy`` if a statement was still there.
  package func close() throws(SQLiteError) {
    let status = unsafe faults?(.close)?.rawValue ?? sqlite3_close(raw)
    let error = status == SQLITE_OK ? nil : failure(status, "close")
    if error != nil {
      unsafe sqlite3_close_v2(raw)
    }
    unsafe raw = nil
    if let error { throw error }
  }

  /// Compiles a statement that is kept.
  ///
  /// The corresponding C function is `sqlite3_prepare_v3`.
  package func prepare(_ sql: StaticString) throws(SQLiteError) -> Statement {
    var prepared: OpaquePointer?
    let text = unsafe UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self)
    let status =
      unsafe faults?(.prepare)?.rawValue
      ?? sqlite3_prepare_v3(
        raw,
        text,
        CInt(sql.utf8CodeUnitCount),
        UInt32(SQLITE_PREPARE_PERSISTENT),
        &prepared,
        nil
      )
    guard status == SQLITE_OK, let prepared = unsafe prepared else {
      throw failure(status, "prepare")
    }
    return unsafe Statement(adopting: prepared, of: self)
  }

  /// Runs one statement to its end, once.
  package func run(_ sql: StaticString) throws(SQLiteError) {
    let statement = try prepare(sql)
    while try statement.step() {}
  }

  /// The first column of a statement's first row, as an integer; nil where there is no row.
  package func integer(_ sql: StaticString) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(at: 0) : nil
  }

  /// The first column of a statement's first row, as text; nil where there is no row.
  package func text(_ sql: StaticString) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(at: 0) : nil
  }

  /// Whether each statement commits by itself, that is: no transaction is open.
  package var isAutocommit: Bool {
    // Not every function looks whether there is a database.
    guard let raw = unsafe raw else { return true }
    return unsafe sqlite3_get_autocommit(raw) != 0
  }

  /// Moves the write-ahead log into the file and syncs both
  /// (`sqlite3_wal_checkpoint_v2`, `SQLITE_CHECKPOINT_PASSIVE`).
  package func checkpoint() throws(SQLiteError) {
    let status =
      unsafe faults?(.checkpoint)?.rawValue
      ?? (raw == nil
        ? SQLITE_MISUSE
        : sqlite3_wal_checkpoint_v2(raw, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil))
    guard status == SQLITE_OK else { throw failure(status, "checkpoint") }
  }

  /// Makes what has been committed to the write-ahead log survive a power cut.
  ///
  /// With `synchronous=NORMAL` SQLite itself syncs the log only when it moves it into the file.
  /// The log is reached by `SQLITE_FCNTL_JOURNAL_POINTER` and synced by its own `xSync`, which also
  /// syncs the directory if the log is new there.
  package func syncLog() throws(SQLiteError) {
    let status = faults?(.sync)?.rawValue ?? syncLogFile()
    guard status == SQLITE_OK else { throw failure(status, "sync") }
  }

  private func syncLogFile() -> CInt {
    guard unsafe raw != nil else { return SQLITE_MISUSE }
    var file: UnsafeMutablePointer<sqlite3_file>?
    let status = unsafe sqlite3_file_control(raw, nil, SQLITE_FCNTL_JOURNAL_POINTER, &file)
    guard status == SQLITE_OK else { return status }
    guard let file = unsafe file, let methods = unsafe file.pointee.pMethods else {
      return SQLITE_OK  // No log was opened, so nothing was written to it.
    }
    return unsafe methods.pointee.xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY)
  }

  private func configure(_ option: CInt, _ value: CInt) throws(SQLiteError) {
    let status =
      unsafe faults?(.configure)?.rawValue ?? csqlite_db_config(raw, option, value)
    guard status == SQLITE_OK else { throw failure(status, "configure") }
  }

  /// Whether a call is to fail, as a test says.
  func forcedFailure(of call: SQLiteCall) -> CInt? {
    faults?(call)?.rawValue
  }

  /// The error for a status just returned.
  func failure(_ status: CInt, _ operation: String) -> SQLiteError {
    // A forced failure left no message behind: the code's own text is right for both.
    var message = unsafe String(cString: sqlite3_errstr(status))
    if let raw = unsafe raw, unsafe sqlite3_extended_errcode(raw) == status {
      message = unsafe String(cString: sqlite3_errmsg(raw))
    }
    return SQLiteError(code: SQLiteCode(rawValue: status), operation: operation, message: message)
  }
}

// SPDX-License-Identifier: MIT
private import CSQLite

/// A connection to an SQLite file that this process has to itself.
///
/// Opened with `SQLITE_OPEN_NOMUTEX`: only one thread may use it. Its statements must be gone before
/// ``close()``. The corresponding C type is `sqlite3`.
@safe package final class Database {
  private var raw: OpaquePointer?
  private let faults: FaultHook?

  /// Turns off memory statistics, which take a lock for each allocation, before SQLite's first use.
  private static let library: CInt = csqlite_config(SQLITE_CONFIG_MEMSTATUS, 0)

  /// Opens or creates a file and locks it for this process alone, which spares the shared memory and
  /// the locking of each commit (sqlite.org/wal.html#noshm).
  ///
  /// Nothing is written before ``beginWriting()``, not even on closing.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - faults: Makes calls fail, in tests.
  /// - Throws: The failure of `sqlite3_open_v2` or of a setting.
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
      let error = failure(status, SQLiteCall.open.rawValue)
      unsafe sqlite3_close_v2(opened)
      unsafe raw = nil
      throw error
    }
    // The file may have been edited: never run code from its schema.
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
    // SQLite keeps the connection until its last statement is finalized.
    unsafe sqlite3_close_v2(raw)
  }

  /// Switches the file to a write-ahead log, which ``close()`` then merges into the file.
  ///
  /// With `synchronous=NORMAL` a commit survives any end of this process, but a power cut only after
  /// ``syncLog()`` or ``checkpoint()``. The limits keep the log, memory and the time of a commit
  /// small.
  package func beginWriting() throws(SQLiteError) {
    guard try text("PRAGMA journal_mode = WAL") == "wal" else { throw .noWriteAheadLog }
    try run("PRAGMA synchronous = NORMAL")
    try run("PRAGMA wal_autocheckpoint = 1000")
    try run("PRAGMA journal_size_limit = 1048576")
    try run("PRAGMA cache_size = 256")
    try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
  }

  /// Whether the file can't be written, as far as is known; accurate once something has been read.
  package var isReadOnly: Bool {
    unsafe raw == nil || sqlite3_db_readonly(raw, "main") != 0
  }

  /// Makes a call wait this long for another process's lock before it fails with ``SQLiteCode/busy``.
  package func setBusyTimeout(milliseconds: CInt) {
    unsafe _ = sqlite3_busy_timeout(raw, milliseconds)
  }

  /// Closes the connection, even if that fails (`sqlite3_close`, else `sqlite3_close_v2`).
  ///
  /// - Throws: ``SQLiteCode/busy`` if a statement is left.
  package func close() throws(SQLiteError) {
    defer { unsafe raw = nil }
    do {
      try check(.close, unsafe sqlite3_close(raw))
    } catch {
      unsafe sqlite3_close_v2(raw)
      throw error
    }
  }

  /// Compiles a statement that is kept and run repeatedly (`sqlite3_prepare_v3`).
  package func prepare(_ sql: StaticString) throws(SQLiteError) -> Statement {
    var prepared: OpaquePointer?
    let text = unsafe UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self)
    let length = CInt(sql.utf8CodeUnitCount)
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    try check(
      .prepare,
      unsafe sqlite3_prepare_v3(raw, text, length, flags, &prepared, nil)
    )
    guard let prepared = unsafe prepared else { throw failure(SQLITE_MISUSE, "prepare") }
    return unsafe Statement(adopting: prepared, of: self)
  }

  /// Runs a statement once and ignores its rows.
  package func run(_ sql: StaticString) throws(SQLiteError) {
    let statement = try prepare(sql)
    while try statement.step() {}
  }

  /// The integer in the first column of a statement's first row; nil if there is no row.
  package func integer(_ sql: StaticString) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(at: 0) : nil
  }

  /// The text in the first column of a statement's first row; nil if there is no row.
  package func text(_ sql: StaticString) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(at: 0) : nil
  }

  /// Whether no transaction is open.
  package var isAutocommit: Bool {
    // Unlike most functions, this one crashes on a null pointer.
    guard let raw = unsafe raw else { return true }
    return unsafe sqlite3_get_autocommit(raw) != 0
  }

  /// Copies the write-ahead log into the file and syncs both
  /// (`sqlite3_wal_checkpoint_v2`, `SQLITE_CHECKPOINT_PASSIVE`).
  package func checkpoint() throws(SQLiteError) {
    try check(
      .checkpoint,
      unsafe raw == nil
        ? SQLITE_MISUSE : sqlite3_wal_checkpoint_v2(raw, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    )
  }

  /// Makes what has been committed to the write-ahead log survive a power cut.
  ///
  /// With `synchronous=NORMAL` SQLite syncs the log only at checkpoints. This calls `xSync` of the
  /// log file, found by `SQLITE_FCNTL_JOURNAL_POINTER`; it also syncs the directory if the log is new.
  package func syncLog() throws(SQLiteError) {
    try check(.sync, syncLogFile())
  }

  private func syncLogFile() -> CInt {
    guard unsafe raw != nil else { return SQLITE_MISUSE }
    var file: UnsafeMutablePointer<sqlite3_file>?
    let status = unsafe sqlite3_file_control(raw, nil, SQLITE_FCNTL_JOURNAL_POINTER, &file)
    guard status == SQLITE_OK else { return status }
    guard let file = unsafe file, let methods = unsafe file.pointee.pMethods else {
      return SQLITE_OK  // No log has been opened, so nothing was written to it.
    }
    return unsafe methods.pointee.xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY)
  }

  private func configure(_ option: CInt, _ value: CInt) throws(SQLiteError) {
    try check(.configure, unsafe csqlite_db_config(raw, option, value))
  }

  /// Makes a call, unless it is to fail, and throws what it fails with.
  func check(_ call: SQLiteCall, _ perform: @autoclosure () -> CInt) throws(SQLiteError) {
    let status = status(of: call, perform())
    guard status == SQLITE_OK else { throw failure(status, call.rawValue) }
  }

  /// Makes a call, unless it is to fail, and returns its status.
  func status(of call: SQLiteCall, _ perform: @autoclosure () -> CInt) -> CInt {
    faults?(call)?.rawValue ?? perform()
  }

  /// The error for a status that was just returned.
  func failure(_ status: CInt, _ operation: String) -> SQLiteError {
    // The connection's message is of another call if this one was made to fail.
    var message = unsafe String(cString: sqlite3_errstr(status))
    if let raw = unsafe raw, unsafe sqlite3_extended_errcode(raw) == status {
      message = unsafe String(cString: sqlite3_errmsg(raw))
    }
    return SQLiteError(code: SQLiteCode(rawValue: status), operation: operation, message: message)
  }
}

extension SQLiteError {
  /// A file that SQLite won't give a write-ahead log.
  static let noWriteAheadLog = SQLiteError(
    code: .cannotOpen,
    operation: "journal",
    message: "no write-ahead log"
  )
}

/// Runs transactions with statements that are compiled once.
final class Transaction {
  private let database: Database
  private let begin: Statement
  private let commit: Statement
  private let rollback: Statement

  init(_ database: Database) throws(SQLiteError) {
    self.database = database
    begin = try database.prepare("BEGIN IMMEDIATE")
    commit = try database.prepare("COMMIT")
    rollback = try database.prepare("ROLLBACK")
  }

  /// Runs `body` and commits, or rolls back if anything fails.
  func run(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try begin.run()
    do {
      try body()
      try commit.run()
    } catch {
      // Some failures make SQLite roll back by itself; ROLLBACK would be an error then.
      if !database.isAutocommit { try? rollback.run() }
      throw error
    }
  }
}

/// A failed call into SQLite.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The extended result code.
  package let code: SQLiteCode
  /// What was being done, in a word: a ``SQLiteCall``, or `journal`.
  package let operation: String
  /// SQLite's error message; never contains a bound value.
  package let message: String

  /// Describes a failed call.
  package init(code: SQLiteCode, operation: String, message: String) {
    self.code = code
    self.operation = operation
    self.message = message
  }

  /// One line for a log: `step: database or disk is full (13)`.
  package var description: String { "\(operation): \(message) (\(code.rawValue))" }
}

/// A result code of SQLite, primary (`SQLITE_IOERR`) or extended (`SQLITE_IOERR_WRITE`).
///
/// The low eight bits of an extended code are its primary code (sqlite.org/rescode.html).
package struct SQLiteCode: RawRepresentable, Hashable, Sendable {
  /// The code as SQLite returned it.
  package let rawValue: CInt

  /// Wraps any code, known or not.
  package init(rawValue: CInt) {
    self.rawValue = rawValue
  }

  /// The code without its extension.
  package var primary: SQLiteCode { SQLiteCode(rawValue: rawValue & 0xFF) }

  package static let error = SQLiteCode(rawValue: SQLITE_ERROR)
  package static let busy = SQLiteCode(rawValue: SQLITE_BUSY)
  package static let locked = SQLiteCode(rawValue: SQLITE_LOCKED)
  package static let outOfMemory = SQLiteCode(rawValue: SQLITE_NOMEM)
  package static let readOnly = SQLiteCode(rawValue: SQLITE_READONLY)
  package static let inputOutput = SQLiteCode(rawValue: SQLITE_IOERR)
  package static let corrupt = SQLiteCode(rawValue: SQLITE_CORRUPT)
  package static let full = SQLiteCode(rawValue: SQLITE_FULL)
  package static let cannotOpen = SQLiteCode(rawValue: SQLITE_CANTOPEN)
  package static let constraint = SQLiteCode(rawValue: SQLITE_CONSTRAINT)
  package static let notADatabase = SQLiteCode(rawValue: SQLITE_NOTADB)

  /// Matches a primary code against all its extended codes, and an extended code only against
  /// itself.
  package static func ~= (pattern: SQLiteCode, value: SQLiteCode) -> Bool {
    pattern == pattern.primary ? pattern == value.primary : pattern == value
  }
}

/// The kinds of calls into SQLite that can fail, for fault injection.
package enum SQLiteCall: String, CaseIterable, Sendable {
  case open, configure, prepare, bind, step, checkpoint, sync, close
}

/// Asked before each call into SQLite; returns the code to fail with, or nil to make the call.
///
/// Only tests set one. Without one it costs a comparison per call.
package typealias FaultHook = (SQLiteCall) -> SQLiteCode?

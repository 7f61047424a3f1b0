// SPDX-License-Identifier: MIT
private import CSQLite

/// A compiled statement that is run repeatedly.
///
/// Parameters and columns both count from 0, so that one constant names a column in either
/// direction; SQLite counts parameters from 1. Bindings last until the next ``reset()``. The
/// corresponding C type is `sqlite3_stmt`.
@safe package final class Statement {
  private let raw: OpaquePointer
  private let database: Database

  init(adopting raw: OpaquePointer, of database: Database) {
    unsafe self.raw = raw
    self.database = database
  }

  deinit {
    unsafe sqlite3_finalize(raw)
  }

  /// Binds an integer; nil is NULL.
  package func bind(_ value: Int64?, at index: CInt) throws(SQLiteError) {
    guard let value else { return }
    try check(unsafe sqlite3_bind_int64(raw, index + 1, value))
  }

  /// Binds a truth value as 0 or 1; nil is NULL.
  package func bind(_ value: Bool?, at index: CInt) throws(SQLiteError) {
    try bind(value.map { $0 ? 1 as Int64 : 0 }, at: index)
  }

  /// Binds a floating-point number; nil is NULL.
  package func bind(_ value: Double?, at index: CInt) throws(SQLiteError) {
    guard let value else { return }
    try check(unsafe sqlite3_bind_double(raw, index + 1, value))
  }

  /// Binds a copy of a text, byte for byte.
  package func bind(_ value: String, at index: CInt) throws(SQLiteError) {
    let length = CInt(value.utf8.count)
    try check(
      unsafe value.withCString { unsafe csqlite_bind_text(raw, index + 1, $0, length) }
    )
  }

  /// Advances to the next row.
  ///
  /// - Returns: Whether there is one.
  /// - Throws: The failure, after resetting the statement.
  package func step() throws(SQLiteError) -> Bool {
    let status = database.status(of: .step, unsafe sqlite3_step(raw))
    if status == SQLITE_ROW { return true }
    if status == SQLITE_DONE { return false }
    let error = database.failure(status, SQLiteCall.step.rawValue)
    reset()
    throw error
  }

  /// Runs a statement that returns no rows, and resets it.
  package func run() throws(SQLiteError) {
    while try step() {}
    reset()
  }

  /// Makes the statement ready to be run again, and clears its bindings.
  ///
  /// The corresponding C functions are `sqlite3_reset`, whose result only repeats that of the last
  /// step, and `sqlite3_clear_bindings`.
  package func reset() {
    unsafe sqlite3_reset(raw)
    unsafe sqlite3_clear_bindings(raw)
  }

  /// The name of a column.
  package func name(at column: CInt) -> String {
    guard let name = unsafe sqlite3_column_name(raw, column) else { return "" }
    return unsafe String(cString: name)
  }

  /// Whether a column of the current row is NULL.
  package func isNull(at column: CInt) -> Bool {
    unsafe sqlite3_column_type(raw, column) == SQLITE_NULL
  }

  /// An integer; nil if the column holds anything else.
  package func integer(at column: CInt) -> Int64? {
    guard unsafe sqlite3_column_type(raw, column) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_column_int64(raw, column)
  }

  /// A truth value, stored as 0 or 1; nil if the column holds anything else.
  package func flag(at column: CInt) -> Bool? {
    switch integer(at: column) {
    case 0: false
    case 1: true
    default: nil
    }
  }

  /// A number, integer or floating-point; nil if the column holds anything else.
  package func double(at column: CInt) -> Double? {
    let type = unsafe sqlite3_column_type(raw, column)
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_column_double(raw, column)
  }

  /// A text; nil if the column holds anything else, bytes that are not UTF-8, a NUL, or more bytes
  /// than ``StoreLimits/textBytes``.
  package func text(at column: CInt) -> String? {
    guard unsafe sqlite3_column_type(raw, column) == SQLITE_TEXT,
      unsafe Int(sqlite3_column_bytes(raw, column)) <= StoreLimits.textBytes,
      let start = unsafe sqlite3_column_text(raw, column),
      let text = unsafe String(
        validatingCString: UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
      )
    else { return nil }
    return unsafe text.utf8.count == Int(sqlite3_column_bytes(raw, column)) ? text : nil
  }

  private func check(_ perform: @autoclosure () -> CInt) throws(SQLiteError) {
    do {
      try database.check(.bind, perform())
    } catch {
      reset()
      throw error
    }
  }
}

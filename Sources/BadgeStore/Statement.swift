// SPDX-License-Identifier: MIT
private import CSQLite

/// A compiled statement that is run again and again.
///
/// Parameters count from 1, columns from 0, as in SQLite. What is bound lasts until the next
/// ``reset()``, which also clears all bindings. The corresponding C type is `sqlite3_stmt`.
@safe package final class Statement {
  private var raw: OpaquePointer?
  private let database: Database
  private var arena = BindingArena()

  init(adopting raw: OpaquePointer, of database: Database) {
    unsafe self.raw = raw
    self.database = database
  }

  deinit {
    unsafe sqlite3_finalize(raw)
  }

  /// Ends the statement, which can't be used afterwards.
  ///
  /// The corresponding C function is `sqlite3_finalize`.
  package func finalize() {
    unsafe sqlite3_finalize(raw)
    unsafe raw = nil
  }

  /// Binds an integer.
  package func bind(_ value: Int64, at index: CInt) throws(SQLiteError) {
    try check(
      unsafe database.forcedFailure(of: .bind) ?? sqlite3_bind_int64(raw, index, value)
    )
  }

  /// Binds a truth value as 0 or 1.
  package func bind(_ value: Bool, at index: CInt) throws(SQLiteError) {
    try bind(value ? 1 as Int64 : 0, at: index)
  }

  /// Binds a floating-point number.
  package func bind(_ value: Double, at index: CInt) throws(SQLiteError) {
    try check(
      unsafe database.forcedFailure(of: .bind) ?? sqlite3_bind_double(raw, index, value)
    )
  }

  /// Binds text, byte for byte.
  package func bind(_ value: String, at index: CInt) throws(SQLiteError) {
    unsafe try bind(arena.hold(value), at: index)
  }

  /// Binds text that is UTF-8 already, byte for byte.
  package func bind(utf8 value: [UInt8], at index: CInt) throws(SQLiteError) {
    unsafe try bind(arena.hold(value), at: index)
  }

  private func bind(
    _ held: UnsafeBufferPointer<CChar>,
    at index: CInt
  ) throws(SQLiteError) {
    // No destructor (SQLITE_STATIC): the arena keeps the bytes until the reset.
    try check(
      unsafe database.forcedFailure(of: .bind)
        ?? sqlite3_bind_text(raw, index, held.baseAddress, CInt(held.count), nil)
    )
  }

  /// Goes on to the next row, or to the end.
  ///
  /// - Returns: Whether there is a row.
  /// - Throws: The failure; the statement has been reset then.
  package func step() throws(SQLiteError) -> Bool {
    let status = unsafe database.forcedFailure(of: .step) ?? sqlite3_step(raw)
    if status == SQLITE_ROW { return true }
    if status == SQLITE_DONE { return false }
    let error = database.failure(status, "step")
    reset()
    throw error
  }

  /// Runs a statement that returns no row, and makes it ready for the next time.
  package func run() throws(SQLiteError) {
    while try step() {}
    reset()
  }

  /// Makes the statement ready to be run again and forgets what was bound.
  ///
  /// The corresponding C functions are `sqlite3_reset`, whose result only repeats the last step's,
  /// and `sqlite3_clear_bindings`.
  package func reset() {
    guard let raw = unsafe raw else { return }
    unsafe sqlite3_reset(raw)
    unsafe sqlite3_clear_bindings(raw)
    arena.clear()
  }

  /// The name of a column.
  package func name(at column: CInt) -> String {
    guard let name = unsafe sqlite3_column_name(raw, column) else { return "" }
    return unsafe String(cString: name)
  }

  /// What kind of value a column of the present row holds.
  package func kind(at column: CInt) -> ColumnKind {
    switch unsafe sqlite3_column_type(raw, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .double
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// An integer column; nil if it holds anything else.
  package func integer(at column: CInt) -> Int64? {
    guard kind(at: column) == .integer else { return nil }
    return unsafe sqlite3_column_int64(raw, column)
  }

  /// A number column, integer or floating-point; nil if it holds anything else.
  package func double(at column: CInt) -> Double? {
    let kind = kind(at: column)
    guard kind == .double || kind == .integer else { return nil }
    return unsafe sqlite3_column_double(raw, column)
  }

  /// A text column; nil if it holds anything else, bytes that are not UTF-8 or hold a NUL, or more of
  /// them than ``StoreLimits/textBytes``.
  package func text(at column: CInt) -> String? {
    guard kind(at: column) == .text,
      unsafe Int(sqlite3_column_bytes(raw, column)) <= StoreLimits.textBytes,
      let start = unsafe sqlite3_column_text(raw, column),
      let text = unsafe String(
        validatingCString: UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
      )
    else { return nil }
    return unsafe text.utf8.count == Int(sqlite3_column_bytes(raw, column)) ? text : nil
  }

  private func check(_ status: CInt) throws(SQLiteError) {
    guard status == SQLITE_OK else {
      let error = database.failure(status, "bind")
      reset()
      throw error
    }
  }
}

/// The storage class of a column's value (sqlite.org/datatype3.html).
package enum ColumnKind: Hashable, Sendable {
  case null, integer, double, text, blob
}

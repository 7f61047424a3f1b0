// SPDX-License-Identifier: MIT

/// The three statements round a transaction, kept ready.
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

  /// Runs what is to happen all or not at all.
  func run(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try begin.run()
    do {
      try body()
      try commit.run()
    } catch {
      end()
      throw error
    }
  }

  /// Undoes a transaction that is still open, as one may be after any failure.
  func end() {
    // After some failures SQLite has rolled back by itself, and ROLLBACK would be an error.
    if !database.isAutocommit {
      try? rollback.run()
    }
  }

  /// Ends the statements.
  func finalize() {
    begin.finalize()
    commit.finalize()
    rollback.finalize()
  }
}

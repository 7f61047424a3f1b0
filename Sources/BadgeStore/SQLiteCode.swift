// SPDX-License-Identifier: MIT
private import CSQLite

/// A result code of SQLite, primary (`SQLITE_IOERR`) or extended (`SQLITE_IOERR_WRITE`).
///
/// Unknown codes survive; the low eight bits are the primary code (sqlite.org/rescode.html).
package struct SQLiteCode: RawRepresentable, Hashable, Sendable {
  /// The number SQLite returned.
  package let rawValue: CInt

  /// Wraps a number that SQLite returned.
  package init(rawValue: CInt) {
    self.rawValue = rawValue
  }

  /// The code without its extension.
  package var primary: SQLiteCode { SQLiteCode(rawValue: rawValue & 0xFF) }

  package static let ok = SQLiteCode(rawValue: SQLITE_OK)
  package static let error = SQLiteCode(rawValue: SQLITE_ERROR)
  package static let permission = SQLiteCode(rawValue: SQLITE_PERM)
  package static let busy = SQLiteCode(rawValue: SQLITE_BUSY)
  package static let locked = SQLiteCode(rawValue: SQLITE_LOCKED)
  package static let outOfMemory = SQLiteCode(rawValue: SQLITE_NOMEM)
  package static let readOnly = SQLiteCode(rawValue: SQLITE_READONLY)
  package static let inputOutput = SQLiteCode(rawValue: SQLITE_IOERR)
  package static let corrupt = SQLiteCode(rawValue: SQLITE_CORRUPT)
  package static let full = SQLiteCode(rawValue: SQLITE_FULL)
  package static let cannotOpen = SQLiteCode(rawValue: SQLITE_CANTOPEN)
  package static let schema = SQLiteCode(rawValue: SQLITE_SCHEMA)
  package static let tooBig = SQLiteCode(rawValue: SQLITE_TOOBIG)
  package static let constraint = SQLiteCode(rawValue: SQLITE_CONSTRAINT)
  package static let mismatch = SQLiteCode(rawValue: SQLITE_MISMATCH)
  package static let misuse = SQLiteCode(rawValue: SQLITE_MISUSE)
  package static let range = SQLiteCode(rawValue: SQLITE_RANGE)
  package static let notADatabase = SQLiteCode(rawValue: SQLITE_NOTADB)
  package static let row = SQLiteCode(rawValue: SQLITE_ROW)
  package static let done = SQLiteCode(rawValue: SQLITE_DONE)

  /// Lets a primary code in a `case` match all its extended codes, and an extended one only itself.
  package static func ~= (pattern: SQLiteCode, value: SQLiteCode) -> Bool {
    pattern == pattern.primary ? pattern == value.primary : pattern == value
  }
}

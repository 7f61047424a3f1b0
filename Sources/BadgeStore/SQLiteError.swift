// SPDX-License-Identifier: MIT
private import CSQLite

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

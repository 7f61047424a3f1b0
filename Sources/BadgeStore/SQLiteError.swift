// SPDX-License-Identifier: MIT

/// What SQLite said about a call that failed.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The (extended) result code.
  package let code: SQLiteCode
  /// What was being done, in a word or two.
  package let operation: String
  /// SQLite's own words; never holds a value that was bound.
  package let message: String

  /// Describes a failed call.
  package init(code: SQLiteCode, operation: String, message: String) {
    self.code = code
    self.operation = operation
    self.message = message
  }

  /// One line for a log: `commit: database or disk is full (13)`.
  package var description: String { "\(operation): \(message) (\(code.rawValue))" }
}

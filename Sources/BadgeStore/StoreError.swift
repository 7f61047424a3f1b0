// SPDX-License-Identifier: MIT

/// Why the state can't be opened, read or written.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another instance keeps its state in this directory; its process, where that is known.
  case inUse(directory: String, processID: Int32?)
  /// The file was written by a later version of the program; it has been left as it was.
  case newerVersion(path: String, found: Int64, known: Int64)
  /// Another program has the file open (`sqlite3`, a backup): the same call may succeed later.
  case busy(path: String)
  /// The disk is full, failing or read-only, or permission is missing: the same call may succeed
  /// later.
  case unavailable(path: String, detail: String)
  /// The open file has been damaged. Close the store and open it again: that keeps the file aside
  /// and begins a new one, which needs everything.
  case damaged(path: String, detail: String)
  /// The open file has been removed or replaced by somebody. Close the store and open it again: that
  /// begins a new file, which needs everything.
  case removed(path: String)

  /// Whether a start has to be refused, since going on would harm what is there.
  public var refusesStart: Bool {
    switch self {
    case .inUse, .newerVersion: true
    case .busy, .unavailable, .damaged, .removed: false
    }
  }

  /// Whether the store has to be closed and opened again before anything can be saved.
  public var needsReopening: Bool {
    switch self {
    case .damaged, .removed: true
    case .inUse, .newerVersion, .busy, .unavailable: false
    }
  }

  /// One line for a log or a terminal: what is wrong, where, and what to do if that is not plain.
  public var description: String {
    switch self {
    case .inUse(let directory, let processID?):
      "the state in '\(directory)' is in use by process \(processID)"
    case .inUse(let directory, nil):
      "the state in '\(directory)' is in use by another process"
    case .newerVersion(let path, let found, let known):
      "'\(path)' was written by a newer version of badged (format \(found); this one knows \(known))"
        + "; it has been left untouched"
    case .busy(let path):
      "'\(path)' is open in another program"
    case .unavailable(let path, let detail):
      "'\(path)' can't be used: \(detail)"
    case .damaged(let path, let detail):
      "'\(path)' is damaged: \(detail)"
    case .removed(let path):
      "'\(path)' has been removed or replaced"
    }
  }
}

extension StoreError {
  /// What a failed call of SQLite means for a store.
  init(_ error: SQLiteError, path: String) {
    self =
      switch error.code {
      case .busy, .locked: .busy(path: path)
      case .corrupt, .notADatabase: .damaged(path: path, detail: "\(error)")
      default: .unavailable(path: path, detail: "\(error)")
      }
  }

  /// What a failed system call means for a store.
  init(_ operation: String, _ number: CInt, path: String) {
    self = .unavailable(path: path, detail: "\(operation): \(FileSystem.text(of: number))")
  }
}

// SPDX-License-Identifier: MIT
private import Glibc

/// Why the state can't be opened, read or written.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another instance uses the directory; its process id, if known.
  case inUse(directory: String, processID: Int32?)
  /// A later version of the program wrote the file, which has not been touched.
  case newerVersion(path: String, found: Int64, known: Int64)
  /// Another program has the file open (`sqlite3`, a backup). The same call may succeed later.
  case busy(path: String)
  /// The disk is full, failing or read-only, or permission is missing. The same call may succeed
  /// later.
  case unavailable(path: String, detail: String)
  /// The open file has been damaged. Close the store and open it again: that sets the file aside and
  /// creates an empty one, to which everything must be saved.
  case damaged(path: String, detail: String)
  /// The open file has been deleted or replaced. Close the store and open it again: that creates an
  /// empty file, to which everything must be saved.
  case removed(path: String)

  /// Whether starting anyway would harm what is there.
  public var refusesStart: Bool {
    switch self {
    case .inUse, .newerVersion: true
    case .busy, .unavailable, .damaged, .removed: false
    }
  }

  /// Whether the store must be closed and opened again before anything can be saved.
  public var needsReopening: Bool {
    switch self {
    case .damaged, .removed: true
    case .inUse, .newerVersion, .busy, .unavailable: false
    }
  }

  /// One line for a log or a terminal.
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
  /// What a failed call into SQLite means for the store.
  init(_ error: SQLiteError, path: String) {
    self =
      switch error.code {
      case .busy, .locked: .busy(path: path)
      case .corrupt, .notADatabase: .damaged(path: path, detail: "\(error)")
      default: .unavailable(path: path, detail: "\(error)")
      }
  }

  /// What a failed system call means for the store.
  init(_ error: FileError) {
    let reason = unsafe strerror(error.number).map { unsafe String(cString: $0) }
    self = .unavailable(
      path: error.path,
      detail: "\(error.call): \(reason ?? "error \(error.number)")"
    )
  }
}

/// A damaged file that was kept for the user under another name.
public struct SetAside: Hashable, Sendable, CustomStringConvertible {
  /// The new path of the database; its write-ahead log has the same name ending in `-wal`.
  public let path: String
  /// What was wrong with it.
  public let reason: String

  /// One line for a log.
  public var description: String {
    "the state file was damaged (\(reason)) and is kept as '\(path)'; a new one begins"
  }
}

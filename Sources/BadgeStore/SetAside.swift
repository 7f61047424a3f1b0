// SPDX-License-Identifier: MIT
private import Glibc

/// A file that was found damaged, and kept for whoever wants to mend it.
public struct SetAside: Hashable, Sendable, CustomStringConvertible {
  /// Where it is now.
  ///
  /// What belonged to it (`-wal`) has the same name with that ending.
  public let path: String
  /// What was wrong with it.
  public let reason: String

  /// One line for a log.
  public var description: String {
    "the state file was damaged (\(reason)) and is kept as '\(path)'; a new one begins"
  }
}

extension StateDirectory {
  /// Renames the database and what belongs to it.
  ///
  /// - Returns: The new path of the database, with the time in UTC in its name.
  /// - Throws: ``StoreError/unavailable(path:detail:)`` if the directory can't be changed.
  func setDatabaseAside() throws(StoreError) -> String {
    let base = databasePath + ".damaged-" + Self.timestamp()
    var target = base
    var attempt = 1
    while FileSystem.status(of: target) != nil {
      attempt += 1
      target = "\(base)-\(attempt)"
    }
    // The database first: what is left without it, SQLite removes when it begins a new one.
    let number = FileSystem.rename(databasePath, to: target)
    guard number == 0 else { throw StoreError("rename", number, path: databasePath) }
    for companion in Self.companions {
      _ = FileSystem.rename(databasePath + companion, to: target + companion)
    }
    return target
  }

  private static func timestamp() -> String {
    var seconds = time(nil)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
    let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
    func joined(_ numbers: [Int32]) -> String {
      numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
    }
    return "\(joined(date))T\(joined(time))Z"
  }
}

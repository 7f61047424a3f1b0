// SPDX-License-Identifier: MIT
private import Glibc

/// The directory that holds the state, and the names of the files in it.
public struct StateDirectory: Hashable, Sendable {
  /// The absolute path, without a slash at the end.
  public let path: String

  /// A directory named by the user, as with `--state`.
  ///
  /// - Parameter path: Absolute, or relative to the current working directory.
  public init(path: String) {
    var path = path
    if !path.hasPrefix("/"), let current = unsafe getcwd(nil, 0) {
      path = unsafe "\(String(cString: current))/\(path)"
      unsafe free(current)
    }
    while path.utf8.count > 1, path.hasSuffix("/") {
      path.removeLast()
    }
    self.path = path
  }

  /// The default directory: `$XDG_STATE_HOME/badged`, else `~/.local/state/badged`.
  ///
  /// A relative `XDG_STATE_HOME` is ignored, as the XDG Base Directory Specification demands.
  ///
  /// - Parameter environment: Looks up a variable.
  /// - Returns: nil if neither variable is usable.
  public static func standard(environment: (String) -> String?) -> StateDirectory? {
    if let base = environment("XDG_STATE_HOME"), base.hasPrefix("/") {
      return StateDirectory(path: base + "/badged")
    }
    if let home = environment("HOME"), home.hasPrefix("/") {
      return StateDirectory(path: home + "/.local/state/badged")
    }
    return nil
  }

  /// The path of the SQLite file.
  public var databasePath: String { path + "/" + Self.databaseName }

  /// The path of the file whose lock shows that an instance uses the directory.
  var lockPath: String { path + "/" + Self.lockName }

  private static let databaseName = "badges.db"
  private static let lockName = "lock"
  /// The endings of SQLite's other files.
  private static let companions = ["-wal", "-shm", "-journal"]

  /// Makes sure that the directory can hold the state, and creates it if it is missing.
  ///
  /// A disk that is full, read-only or failing is accepted: it may recover.
  ///
  /// - Throws: ``StoreError/unavailable(path:detail:)`` for what only the user can fix.
  public func verify() throws(StoreError) {
    do {
      try create()
    } catch {
      if error.isTransient { return }
      throw StoreError(error)
    }
    try checkIsDirectory()
    do {
      try FileSystem.call("write", path) { unsafe access(path, W_OK | X_OK) }
    } catch {
      guard error.isTransient else { throw StoreError(error) }
    }
    for file in [databasePath, lockPath] {
      guard FileSystem.status(of: file)?.isRegular ?? true else {
        throw .unavailable(path: file, detail: "not a file")
      }
    }
  }

  /// Creates the directory and its missing parents for the user alone (0700).
  ///
  /// The permissions of an existing directory are only restricted if it holds nothing but our files,
  /// so that `--state /tmp` does no harm.
  ///
  /// - Throws: ``StoreError/unavailable(path:detail:)``.
  func prepare() throws(StoreError) {
    guard let status = FileSystem.status(of: path) else {
      do {
        return try create()
      } catch {
        throw StoreError(error)
      }
    }
    try checkIsDirectory()
    let isOurs = status.st_uid == geteuid() && !status.isSticky && holdsOnlyOurFiles
    if isOurs, status.permissions != 0o700 {
      // Fails on a read-only disk, where nothing will be written either.
      try? FileSystem.setPermissions(0o700, of: path)
    }
  }

  /// Creates an empty database file if there is none, and restricts its permissions to the user.
  ///
  /// SQLite gives its other files the permissions of the database.
  ///
  /// - Throws: ``StoreError/unavailable(path:detail:)``.
  func prepareFiles() throws(StoreError) {
    do {
      try FileSystem.makeFile(databasePath, permissions: 0o600)
    } catch {
      throw StoreError(error)
    }
    for path in [databasePath] + Self.companions.map({ databasePath + $0 }) {
      if let status = FileSystem.status(of: path), status.isRegular, status.permissions != 0o600 {
        try? FileSystem.setPermissions(0o600, of: path)
      }
    }
  }

  /// Renames the database and its companions, to keep them for the user.
  ///
  /// - Returns: The new path of the database; its name contains the time in UTC.
  /// - Throws: ``StoreError/unavailable(path:detail:)`` if the directory can't be changed.
  func setDatabaseAside() throws(StoreError) -> String {
    let base = databasePath + ".damaged-" + Self.timestamp()
    var target = base
    var attempt = 1
    while FileSystem.status(of: target) != nil {
      attempt += 1
      target = "\(base)-\(attempt)"
    }
    do {
      // The database first: SQLite deletes companions that are left without one.
      try FileSystem.call("rename", databasePath) { unsafe rename(databasePath, target) }
    } catch {
      throw StoreError(error)
    }
    for companion in Self.companions {
      unsafe rename(databasePath + companion, target + companion)
    }
    return target
  }

  /// Creates what is missing of the path, from the top.
  private func create() throws(FileError) {
    var next = path.utf8.startIndex
    while next < path.utf8.endIndex {
      let rest = path.utf8[path.utf8.index(after: next)...]
      next = rest.firstIndex(of: UInt8(ascii: "/")) ?? path.utf8.endIndex
      let part = String(path[..<next])
      guard FileSystem.status(of: part) == nil else { continue }
      do {
        try FileSystem.makeDirectory(part, permissions: 0o700)
      } catch {
        // Another process may have created it meanwhile.
        guard FileSystem.status(of: part)?.isDirectory == true else { throw error }
      }
    }
  }

  private func checkIsDirectory() throws(StoreError) {
    guard FileSystem.status(of: path)?.isDirectory == true else {
      throw .unavailable(path: path, detail: "not a directory")
    }
  }

  private var holdsOnlyOurFiles: Bool {
    FileSystem.names(in: path)?.allSatisfy {
      $0 == Self.lockName || $0.hasPrefix(Self.databaseName)
    } ?? false
  }

  private static func timestamp() -> String {
    var seconds = time(nil)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    func joined(_ numbers: Int32...) -> String {
      numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
    }
    let date = unsafe joined(parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday)
    let time = unsafe joined(parts.tm_hour, parts.tm_min, parts.tm_sec)
    return "\(date)T\(time)Z"
  }
}

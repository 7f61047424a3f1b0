// SPDX-License-Identifier: MIT

/// The directory that holds the state: where it is, and the names in it.
public struct StateDirectory: Hashable, Sendable {
  /// The absolute path, without a slash at its end.
  public let path: String

  /// A directory that was asked for by name, as with `--state`.
  ///
  /// - Parameter path: Absolute, or relative to the present working directory.
  public init(path: String) {
    var path = FileSystem.absolute(path)
    while path.utf8.count > 1, path.hasSuffix("/") {
      path.removeLast()
    }
    self.path = path
  }

  /// The directory for a user who asked for none.
  ///
  /// It is `$XDG_STATE_HOME/badged`, else `~/.local/state/badged`. A relative `XDG_STATE_HOME` is
  /// ignored, as the XDG Base Directory Specification says.
  ///
  /// - Parameter environment: Looks up a variable.
  /// - Returns: nil where neither variable says anything.
  public static func standard(environment: (String) -> String?) -> StateDirectory? {
    if let base = environment("XDG_STATE_HOME"), base.hasPrefix("/") {
      return StateDirectory(path: base + "/badged")
    }
    if let home = environment("HOME"), home.hasPrefix("/") {
      return StateDirectory(path: home + "/.local/state/badged")
    }
    return nil
  }

  /// The database.
  public var databasePath: String { path + "/" + Self.databaseName }

  /// The file whose lock shows that an instance uses the directory.
  var lockPath: String { path + "/" + Self.lockName }

  static let databaseName = "badges.db"
  static let lockName = "lock"
  /// What SQLite appends to the database's name for its other files.
  static let companions = ["-wal", "-shm", "-journal"]

  /// Creates the directory, and those above it, for the user alone (0700) where they are missing.
  ///
  /// One that exists is closed to others only if it holds nothing but our own files, so that
  /// `--state /tmp` harms nobody.
  ///
  /// - Throws: ``StoreError/unavailable(path:detail:)``.
  func prepare() throws(StoreError) {
    guard let status = FileSystem.status(of: path) else {
      return try create()
    }
    guard status.isDirectory else {
      throw .unavailable(path: path, detail: "not a directory")
    }
    if status.permissions != 0o700, !status.isSticky, FileSystem.isOurs(status), holdsOnlyOurs {
      // On a read-only disk this fails, and nothing will be written there either.
      _ = FileSystem.setPermissions(0o700, of: path)
    }
  }

  /// Makes sure that a directory which was asked for by name can hold the state, and creates it where
  /// it is missing.
  ///
  /// A disk that is full, read-only or failing is no reason against it: it may recover.
  ///
  /// - Throws: ``StoreError/unavailable(path:detail:)`` for what will be wrong until somebody mends it.
  public func verify() throws(StoreError) {
    if let failure = makeMissing() {
      if FileSystem.mayPass(failure.number) { return }
      throw StoreError("mkdir", failure.number, path: failure.path)
    }
    guard FileSystem.status(of: path)?.isDirectory == true else {
      throw .unavailable(path: path, detail: "not a directory")
    }
    let number = FileSystem.mayWrite(in: path)
    guard number == 0 || FileSystem.mayPass(number) else {
      throw StoreError("write", number, path: path)
    }
    for file in [databasePath, lockPath] {
      guard FileSystem.status(of: file)?.isRegular ?? true else {
        throw .unavailable(path: file, detail: "not a file")
      }
    }
  }

  private func create() throws(StoreError) {
    if let failure = makeMissing() { throw StoreError("mkdir", failure.number, path: failure.path) }
  }

  /// Makes the directories that are missing, from the top.
  ///
  /// - Returns: The first that can't be made, and the error's number; nil where all are there.
  private func makeMissing() -> (path: String, number: CInt)? {
    var next = path.utf8.startIndex
    while next < path.utf8.endIndex {
      let rest = path.utf8[path.utf8.index(after: next)...]
      next = rest.firstIndex(of: UInt8(ascii: "/")) ?? path.utf8.endIndex
      let part = String(path[..<next])
      if FileSystem.status(of: part) == nil {
        let number = FileSystem.makeDirectory(part, permissions: 0o700)
        // Somebody else may have made it meanwhile.
        if number != 0, FileSystem.status(of: part)?.isDirectory != true {
          return (part, number)
        }
      }
    }
    return nil
  }

  /// Makes an empty database file where there is none, and closes what is there to others.
  ///
  /// SQLite gives its other files the permissions of the database.
  ///
  /// - Throws: ``StoreError/unavailable(path:detail:)``.
  func prepareFiles() throws(StoreError) {
    let number = FileSystem.makeFile(databasePath, permissions: 0o600)
    guard number == 0 else { throw StoreError("create", number, path: databasePath) }
    for suffix in [""] + Self.companions {
      let path = databasePath + suffix
      if let status = FileSystem.status(of: path), status.isRegular, status.permissions != 0o600 {
        _ = FileSystem.setPermissions(0o600, of: path)
      }
    }
  }

  /// Removes the directory and the files in it.
  func remove() {
    for name in FileSystem.names(in: path) ?? [] {
      _ = FileSystem.remove("\(path)/\(name)")
    }
    _ = FileSystem.removeDirectory(path)
  }

  private var holdsOnlyOurs: Bool {
    FileSystem.names(in: path)?.allSatisfy {
      $0 == Self.lockName || $0.hasPrefix(Self.databaseName)
    } ?? false
  }
}

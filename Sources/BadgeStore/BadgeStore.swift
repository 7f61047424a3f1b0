// SPDX-License-Identifier: MIT

/// The state on disk: one SQLite file in a directory that this process holds alone.
///
/// A save that returns survives the end of this process by whatever means; it survives a power cut
/// once ``sync()`` has returned. The cost of a save depends on what is saved, not on what is stored.
/// After a failed save the file holds what it held before, and the same save can be tried again.
public final class BadgeStore {
  /// Where the state lies.
  public let directory: StateDirectory
  /// Where ``open(_:waiting:)`` kept the file that was there, if that was damaged or not ours.
  public internal(set) var setAside: SetAside?
  /// Whether something has been saved that a power cut could still undo.
  public private(set) var needsSync = false

  let database: Database
  let tables: Tables
  private let lock: StateLock?
  private var identity: FileSystem.Status?
  private var savesSinceCheckpoint = 0
  private var mustCheckpoint = false

  /// From how many saves on ``sync()`` empties the write-ahead log, since each save that rewrites
  /// the same page makes looking it up in the log longer.
  private static let savesBeforeCheckpoint = 64

  init(
    directory: StateDirectory,
    database: Database,
    tables: Tables,
    lock: StateLock?
  ) {
    self.directory = directory
    self.database = database
    self.tables = tables
    self.lock = lock
    identity = FileSystem.status(of: directory.databasePath)
  }

  /// Reads everything.
  ///
  /// - Parameter bus: The GUID of the present bus; what senders on any other announced is forgotten.
  /// - Returns: All that is there and can be read, badges in the order of their ids.
  /// - Throws: ``StoreError/damaged(path:detail:)`` or ``StoreError/unavailable(path:detail:)``.
  public func load(bus: String) throws(StoreError) -> StoredState {
    var state = StoredState()
    do {
      try tables.settings.load(into: &state)
      try tables.badges.load(into: &state)
      try tables.senders.load(bus: bus, into: &state)
    } catch {
      throw StoreError(error, path: directory.databasePath)
    }
    // Should this fail, those rows are only left there for longer.
    try? tables.senders.forgetAll(exceptOn: bus)
    return state
  }

  /// Saves what has changed, all or nothing: one row by itself, several in a transaction.
  ///
  /// - Throws: ``StoreError/unavailable(path:detail:)`` when the disk is full or failing,
  ///   ``StoreError/damaged(path:detail:)``. The file is as it was before.
  public func save(_ changes: StoreChanges) throws(StoreError) {
    let settings = changes.settings.flatMap { tables.settings.differs(from: $0) ? $0 : nil }
    let rows =
      changes.badges.count + changes.forgotten.count + changes.senders.count
      + changes.departed.count
    let others = changes.replacesEverything || settings != nil
    guard rows > 0 || others else { return }
    do {
      if rows == 1, !others {
        try write(changes, nil)
      } else {
        try tables.transaction.run { () throws(SQLiteError) in try write(changes, settings) }
      }
    } catch {
      throw StoreError(error, path: directory.databasePath)
    }
    if let settings {
      tables.settings.didSave(settings)
    }
    savesSinceCheckpoint += 1
    needsSync = true
  }

  private func write(_ changes: StoreChanges, _ settings: StoredSettings?) throws(SQLiteError) {
    if changes.replacesEverything {
      try tables.badges.forgetAll()
      try tables.senders.forgetAll()
    }
    for id in changes.forgotten {
      try tables.badges.forget(id)
    }
    for record in changes.badges {
      try tables.badges.save(record)
    }
    if let settings {
      try tables.settings.save(settings)
    }
    for record in changes.departed {
      try tables.senders.forget(record)
    }
    for record in changes.senders {
      try tables.senders.save(record)
    }
  }

  /// Makes everything saved so far survive a power cut.
  ///
  /// Costs nothing if ``needsSync`` is false.
  ///
  /// - Throws: ``StoreError/removed(path:)`` if somebody has taken the file away,
  ///   ``StoreError/unavailable(path:detail:)`` if the disk fails.
  public func sync() throws(StoreError) {
    guard needsSync else { return }
    let path = directory.databasePath
    guard let identity, let present = FileSystem.status(of: path), present.isSameFile(as: identity),
      FileSystem.status(of: path + "-wal") != nil
    else { throw .removed(path: path) }
    do {
      if mustCheckpoint || savesSinceCheckpoint >= Self.savesBeforeCheckpoint {
        try database.checkpoint()
        savesSinceCheckpoint = 0
        mustCheckpoint = false
      } else {
        try database.syncLog()
      }
    } catch {
      // After a failed sync the kernel may call the log's pages clean: only writing them elsewhere
      // makes them safe.
      mustCheckpoint = true
      throw StoreError(error, path: path)
    }
    needsSync = false
  }

  /// Ends the use of the directory.
  ///
  /// Moves the write-ahead log into the file, syncs it and gives up the lock. The store can't be used
  /// afterwards.
  ///
  /// - Throws: What went wrong; the directory has been given up nevertheless, and what was saved is
  ///   in the log.
  public func close() throws(StoreError) {
    tables.finalize()
    defer { lock?.release() }
    do {
      try database.close()
    } catch {
      throw StoreError(error, path: directory.databasePath)
    }
  }
}

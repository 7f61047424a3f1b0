// SPDX-License-Identifier: MIT
public import BadgeStore

/// Keeps the state in a directory, and comes back to it when a disk that failed has recovered.
public final class DiskStore: StateStore {
  private let directory: StateDirectory
  private var store: BadgeStore?

  /// What was wrong with the place at the start; nil where all is well.
  public let startFault: StoreError?

  /// What was found there.
  public let state: StoredState

  /// The file that was kept aside at the start, since it was damaged.
  public let setAside: SetAside?

  /// Opens the state in `directory` and reads it.
  ///
  /// A place that can't be used now is tried again later; what can be read of it is read.
  ///
  /// - Parameters:
  ///   - directory: The place.
  ///   - bus: The GUID of the present bus.
  ///   - milliseconds: How long another daemon may take to give the place up.
  /// - Throws: `StoreError` where going on would harm what is there: another daemon uses it, or it
  ///   was written by a newer version.
  public init(
    _ directory: StateDirectory,
    bus: String,
    waiting milliseconds: Int
  ) throws(StoreError) {
    self.directory = directory
    do throws(StoreError) {
      let store = try BadgeStore.open(directory, waiting: milliseconds)
      state = try store.load(bus: bus)
      setAside = store.setAside
      startFault = nil
      self.store = store
    } catch {
      guard !error.refusesStart else { throw error }
      state = BadgeStore.readCopy(of: directory, bus: bus) ?? StoredState()
      setAside = nil
      startFault = error
    }
  }

  /// The directory.
  public var path: String { directory.path }

  /// Whether a power cut could still undo something.
  public var needsSync: Bool { store?.needsSync ?? false }

  /// Saves what has changed, all or nothing.
  public func save(_ changes: StoreChanges) throws(StoreError) {
    guard let store else {
      throw startFault ?? .unavailable(path: directory.path, detail: "it is not open")
    }
    try store.save(changes)
  }

  /// Makes everything saved so far survive a power cut.
  public func sync() throws(StoreError) {
    try store?.sync()
  }

  /// Closes what is open, and opens the directory.
  public func reopen() throws(StoreError) -> SetAside? {
    close()
    let store = try BadgeStore.open(directory)
    self.store = store
    return store.setAside
  }

  /// Gives the directory up.
  public func close() {
    // What was saved is in the log, whatever goes wrong now.
    try? store?.close()
    store = nil
  }
}

// SPDX-License-Identifier: MIT
public import BadgeStore

/// Where the state is kept: the seam between the service and the disk.
public protocol StateStore: AnyObject {
  /// Where that is, for people.
  var path: String { get }

  /// Whether something has been saved that a power cut could still undo.
  var needsSync: Bool { get }

  /// Saves what has changed, all or nothing.
  func save(_ changes: StoreChanges) throws(StoreError)

  /// Makes everything saved so far survive a power cut.
  func sync() throws(StoreError)

  /// Begins anew after an error that asks for it; whatever is saved next has to be everything.
  ///
  /// - Returns: The file that was kept aside, if what was there is damaged.
  func reopen() throws(StoreError) -> SetAside?

  /// Ends the use of the place, so that another daemon may have it.
  func close()
}

/// Keeps the state nowhere: for tests of everything else.
public final class MemoryStore: StateStore {
  /// Each save there was.
  public private(set) var saves: [StoreChanges] = []

  /// What saving throws; nil to succeed.
  public var fault: StoreError?

  /// How often it was begun anew.
  public private(set) var reopenCount = 0

  /// Whether something was saved since the last ``sync()``.
  public private(set) var needsSync = false

  /// A store that has kept nothing.
  public init() {}

  /// No place at all.
  public var path: String { "" }

  /// Remembers what was saved.
  public func save(_ changes: StoreChanges) throws(StoreError) {
    if let fault { throw fault }
    guard !changes.isEmpty else { return }
    saves.append(changes)
    needsSync = true
  }

  /// Does nothing.
  public func sync() throws(StoreError) {
    if let fault { throw fault }
    needsSync = false
  }

  /// Counts.
  public func reopen() throws(StoreError) -> SetAside? {
    if let fault { throw fault }
    reopenCount += 1
    return nil
  }

  /// Does nothing.
  public func close() {}
}

extension StoreChanges {
  fileprivate var isEmpty: Bool {
    !replacesEverything && settings == nil && forgotten.isEmpty && badges.isEmpty
      && departed.isEmpty && senders.isEmpty
  }
}

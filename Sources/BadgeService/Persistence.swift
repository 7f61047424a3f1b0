// SPDX-License-Identifier: MIT
internal import BadgeCore
package import BadgeStore
package import EventLoop

/// Keeps the state on disk: commits once a turn, before any signal or reply of the turn is sent.
///
/// What can't be written stays in memory. Writing is retried with each change and every two seconds
/// until everything is written.
package final class Persistence {
  /// How long to wait before a failed commit is retried.
  private static let retryDelay = Duration.seconds(2)
  /// How long after a commit the file is synced.
  private static let syncDelay = Duration.milliseconds(900)
  /// How many unwritten changes are remembered one by one; beyond that everything is written once
  /// that is possible.
  static let maximumUnwritten = 16_384

  private let directory: StateDirectory
  private let loop: EventLoop
  private let log: Log
  private let faults: FaultHook?
  private var store: BadgeStore?
  private var changes = StoreChanges()
  /// The records of all senders, for the case that everything has to be written.
  private var senders: [SenderKey: SenderRecord] = [:]
  /// Whether there may be something to write, or a retry is due.
  private var isDue = false
  /// Whether the open store can't be used any more: the file is damaged or gone.
  private var needsReopening = false
  /// Whether the file may lack what was saved before.
  private var needsEverything = false
  private var needsSync = false
  private var retryTimer: Timer?
  private var syncTimer: Timer?

  /// What is stored beside the badges; a change is saved with the next commit.
  var settings: StoredSettings {
    didSet {
      guard settings != oldValue else { return }
      changes.settings = settings
      isDue = true
    }
  }

  /// Whether every change so far survives the end of this process.
  private(set) var isDurable: Bool

  /// Opens the state in `directory` and loads it.
  ///
  /// A directory that can't be used now is retried later; what can be read of it is loaded.
  ///
  /// - Parameters:
  ///   - directory: Where the state is kept.
  ///   - bus: The GUID of the present bus.
  ///   - milliseconds: How long to wait for another daemon to give the directory up.
  ///   - loop: The event loop, for retries.
  ///   - log: The log.
  ///   - faults: Makes calls of SQLite fail, in tests.
  /// - Returns: The persistence, and the state that was loaded.
  /// - Throws: `StoreError` where going on would harm what is there: another daemon uses it, or it
  ///   was written by a newer version.
  package static func open(
    _ directory: StateDirectory,
    bus: String,
    waiting milliseconds: Int = 0,
    loop: EventLoop,
    log: Log,
    faults: FaultHook? = nil
  ) throws(StoreError) -> (Persistence, StoredState) {
    let store: BadgeStore?
    let state: StoredState
    do throws(StoreError) {
      let opened = try BadgeStore.open(directory, waiting: milliseconds, faults: faults)
      state = try opened.load(bus: bus)
      store = opened
    } catch {
      guard !error.refusesStart else { throw error }
      log.error("changes are kept in memory only: \(error)")
      state = BadgeStore.readCopy(of: directory, bus: bus) ?? StoredState()
      store = nil
    }
    if let setAside = store?.setAside { log.error("\(setAside)") }
    return (Persistence(directory, store, state, loop: loop, log: log, faults: faults), state)
  }

  private init(
    _ directory: StateDirectory,
    _ store: BadgeStore?,
    _ state: StoredState,
    loop: EventLoop,
    log: Log,
    faults: FaultHook?
  ) {
    self.directory = directory
    self.store = store
    self.loop = loop
    self.log = log
    self.faults = faults
    settings = state.settings
    isDurable = store != nil
    for record in state.senders { senders[SenderKey(record)] = record }
    if store == nil { scheduleRetry() }
  }

  /// Where the state is kept.
  var path: String { directory.path }

  /// Records that the book may have changed.
  func bookChanged() {
    isDue = true
  }

  /// Saves the epoch of the boot clock if the wall clock has been set since.
  func refreshBootEpoch() {
    let epoch = BootClock.currentEpoch()
    guard (epoch &- settings.bootEpoch).magnitude > 1_000_000_000 else { return }
    settings.bootEpoch = epoch
  }

  /// Saves what a sender announced with the next commit.
  func save(_ record: SenderRecord) {
    let key = SenderKey(record)
    guard senders.updateValue(record, forKey: key) != record else { return }
    changes.departed.removeAll { SenderKey($0) == key }
    changes.senders.removeAll { SenderKey($0) == key }
    changes.senders.append(record)
    isDue = true
  }

  /// Deletes what a sender announced with the next commit.
  func forget(_ record: SenderRecord) {
    let key = SenderKey(record)
    senders[key] = nil
    changes.senders.removeAll { SenderKey($0) == key }
    changes.departed.append(record)
    isDue = true
  }

  /// Replaces everything with the next commit, because what is stored means something else now.
  func rewriteEverything() {
    changes.replacesEverything = true
    isDue = true
  }

  /// Writes what has not been written yet, if something changed or a retry is due.
  func commit(_ book: inout BadgeBook) {
    guard isDue else { return }
    isDue = false
    do throws(StoreError) {
      let store = try usableStore()
      if needsSync { try store.sync() }
      needsSync = false
      try store.save(pending(book))
      book.markSaved()
      changes = StoreChanges()
      needsEverything = false
      succeeded(store)
    } catch {
      failed(error)
      boundUnwritten(&book)
    }
  }

  /// The open store; opens it where it is not open or can't be used any more.
  private func usableStore() throws(StoreError) -> BadgeStore {
    if let store, !needsReopening { return store }
    closeStore()
    let store = try BadgeStore.open(directory, faults: faults)
    if let setAside = store.setAside { log.error("\(setAside)") }
    self.store = store
    needsReopening = false
    needsSync = false
    needsEverything = true
    return store
  }

  /// Once too many changes are unwritten, forgets which, so that everything is written later.
  private func boundUnwritten(_ book: inout BadgeBook) {
    let limit = Self.maximumUnwritten
    guard book.unsaved.count > limit || changes.departed.count > limit else { return }
    book.markSaved()
    changes = StoreChanges()
    changes.replacesEverything = true
  }

  /// What has to be saved now.
  ///
  /// After the store was opened again that is everything, but other rows of the file are left alone:
  /// if the file could not be read at the start, nobody has removed them.
  private func pending(_ book: BadgeBook) -> StoreChanges {
    var pending = changes
    let isWhole = needsEverything || changes.replacesEverything
    let ids = isWhole ? book.recordedIDs.union(book.unsaved) : book.unsaved
    for id in ids {
      if let record = book.record(for: id) {
        pending.badges.append(record)
      } else if !changes.replacesEverything {
        pending.forgotten.append(id)
      }
    }
    if isWhole {
      pending.settings = settings
      pending.senders = Array(senders.values)
    }
    if changes.replacesEverything { pending.departed = [] }
    return pending
  }

  private func succeeded(_ store: BadgeStore) {
    if !isDurable {
      isDurable = true
      log.information("changes reach the disk again")
    }
    retryTimer?.cancel()
    retryTimer = nil
    guard syncTimer == nil, store.needsSync else { return }
    syncTimer = loop.schedule(after: Self.syncDelay) { [weak self] in
      self?.syncTimer = nil
      self?.sync()
    }
  }

  private func failed(_ error: StoreError) {
    if error.needsReopening { needsReopening = true }
    if isDurable {
      isDurable = false
      log.error("changes are kept in memory only: \(error)")
    }
    scheduleRetry()
  }

  private func scheduleRetry() {
    guard retryTimer?.isScheduled != true else { return }
    retryTimer = loop.schedule(after: Self.retryDelay) { [weak self] in
      guard let self else { return }
      retryTimer = nil
      // The turn in which the timer fires ends with a commit.
      isDue = true
    }
  }

  private func sync() {
    do throws(StoreError) {
      try store?.sync()
    } catch {
      needsSync = true
      failed(error)
    }
  }

  /// Writes and syncs what there is, and closes the store.
  func close(_ book: inout BadgeBook) {
    // The disk may have recovered since the last attempt.
    if !isDurable { isDue = true }
    commit(&book)
    sync()
    if !isDurable { log.error("what could not be written is lost") }
    retryTimer?.cancel()
    syncTimer?.cancel()
    closeStore()
  }

  private func closeStore() {
    // What was saved is in the write-ahead log, even if closing fails.
    try? store?.close()
    store = nil
  }
}

/// What tells the records of senders apart.
private struct SenderKey: Hashable {
  let bus: String
  let sender: String
  let app: BadgeID

  init(_ record: SenderRecord) {
    bus = record.bus
    sender = record.sender
    app = record.app
  }
}

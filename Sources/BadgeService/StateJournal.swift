// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import BadgeStore
internal import EventLoop

/// Writes what changed, once a turn, before anything of the turn goes out.
///
/// What can't be written stays in memory and is tried again: at each change, and every two seconds,
/// until all of it is written.
final class StateJournal {
  private let store: any StateStore
  private let loop: EventLoop
  private let log: Log
  /// What senders said, by the records' keys, in case everything has to be written.
  private var senders: [SenderKey: SenderRecord] = [:]
  private var changes = StoreChanges()
  /// Whether there may be something to write, or it is time to try again.
  private var isDue = false
  private var needsReopening: Bool
  /// Whether the file may lack what was saved before.
  private var needsEverything = false
  private var needsSync = false
  private var retryTimer: Timer?
  private var syncTimer: Timer?

  /// What is kept beside the badges.
  private(set) var settings: StoredSettings

  /// Whether all changes so far are where they survive this process.
  private(set) var isDurable: Bool

  /// A journal that writes to `store`, which was found with `state` in it.
  ///
  /// - Parameters:
  ///   - store: Where to write.
  ///   - isOpen: Whether the store could be opened; if not that is tried again, and then everything
  ///     is written.
  ///   - state: What was read.
  ///   - loop: Where to wait for another try.
  ///   - log: Where to say what goes wrong.
  init(
    _ store: any StateStore,
    isOpen: Bool,
    state: StoredState,
    loop: EventLoop,
    log: Log
  ) {
    self.store = store
    self.loop = loop
    self.log = log
    settings = state.settings
    for record in state.senders { senders[SenderKey(record)] = record }
    needsReopening = !isOpen
    isDurable = isOpen
    if !isOpen { scheduleRetry() }
  }

  /// Where the state is kept.
  var path: String { store.path }

  /// Changes what is kept beside the badges.
  func set(_ settings: StoredSettings) {
    guard settings != self.settings else { return }
    self.settings = settings
    changes.settings = settings
    isDue = true
  }

  /// Keeps what the boot clock is in terms of the wall's, where that has moved.
  func refreshEpoch() {
    let epoch = BootClock.presentEpoch()
    guard (epoch &- settings.bootEpoch).magnitude > 1_000_000_000 else { return }
    var settings = settings
    settings.bootEpoch = epoch
    set(settings)
  }

  /// Keeps what a sender said.
  func save(_ record: SenderRecord) {
    let key = SenderKey(record)
    guard senders.updateValue(record, forKey: key) != record else { return }
    changes.departed.removeAll { SenderKey($0) == key }
    changes.senders.removeAll { SenderKey($0) == key }
    changes.senders.append(record)
    isDue = true
  }

  /// Forgets what a sender said.
  func forget(_ record: SenderRecord) {
    let key = SenderKey(record)
    senders[key] = nil
    changes.senders.removeAll { SenderKey($0) == key }
    changes.departed.append(record)
    isDue = true
  }

  /// Writes everything with the next commit: what is there means something else now.
  func rewrite() {
    changes.replacesEverything = true
    isDue = true
  }

  /// Notes that the book may have changed.
  func note() {
    isDue = true
  }

  /// Writes what has not been written yet, if something changed since the last time.
  func commit(_ book: inout BadgeBook) {
    guard isDue else { return }
    isDue = false
    do throws(StoreError) {
      if needsReopening {
        if let setAside = try store.reopen() { log.error("\(setAside)") }
        needsReopening = false
        needsSync = false
        needsEverything = true
      }
      if needsSync { try store.sync() }
      needsSync = false
      try store.save(pending(book))
      book.markSaved()
      changes = StoreChanges()
      needsEverything = false
      succeeded()
    } catch {
      failed(error)
      boundUnwritten(&book)
    }
  }

  /// Remembers that everything has to be written, in place of what exactly, once that is a lot.
  private func boundUnwritten(_ book: inout BadgeBook) {
    let limit = ServiceLimits.unwrittenChanges
    guard book.unsaved.count > limit || changes.departed.count > limit else { return }
    book.markSaved()
    changes = StoreChanges()
    changes.replacesEverything = true
  }

  /// What has to be saved now.
  ///
  /// After reopening that is everything, but what else the file holds is left there: where it could
  /// not be read at the start, nobody has taken that away.
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
    if changes.replacesEverything {
      pending.departed = []
    }
    return pending
  }

  private func succeeded() {
    if !isDurable {
      isDurable = true
      log.information("changes reach the disk again")
    }
    retryTimer?.cancel()
    retryTimer = nil
    guard syncTimer == nil, store.needsSync else { return }
    syncTimer = loop.schedule(after: .nanoseconds(ServiceLimits.syncDelay)) { [weak self] in
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
    retryTimer = loop.schedule(after: .nanoseconds(ServiceLimits.commitRetry)) { [weak self] in
      guard let self else { return }
      retryTimer = nil
      // The turn that this timer is part of ends with a commit.
      isDue = true
    }
  }

  private func sync() {
    do throws(StoreError) {
      try store.sync()
    } catch {
      needsSync = true
      failed(error)
    }
  }

  /// Writes and syncs what there is, and gives the place up.
  func close(_ book: inout BadgeBook) {
    // The disk may have recovered since the last try.
    if !isDurable { isDue = true }
    commit(&book)
    sync()
    if !isDurable { log.error("what could not be written is lost") }
    retryTimer?.cancel()
    syncTimer?.cancel()
    store.close()
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

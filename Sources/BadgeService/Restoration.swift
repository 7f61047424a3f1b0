// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import BadgeStore
internal import EventLoop

/// Restores the book from what was stored, perhaps before a reboot.
struct Restoration {
  private let state: StoredState
  private let clock: BootClock
  private let log: Log

  init(of state: StoredState, on clock: BootClock, log: Log) {
    self.state = state
    self.clock = clock
    self.log = log
  }

  /// Whether the state is of this boot, so that its deadlines and processes can be used as they are.
  private var isOfThisBoot: Bool {
    !clock.bootID.isEmpty && state.settings.bootID == clock.bootID
  }

  /// Whether the state holds deadlines or processes of another boot.
  var needsRewriting: Bool {
    !isOfThisBoot && state.badges.contains { $0.deadline != nil || $0.owner != nil }
  }

  /// The settings from now on.
  var settings: StoredSettings {
    var settings = state.settings
    if !isOfThisBoot {
      settings.bootID = clock.bootID
      settings.bootEpoch = clock.epoch
    }
    if settings.quietUntil > 0, settings.quietUntil <= WallClock.seconds() {
      settings.quiet = false
      settings.quietUntil = 0
    }
    return settings
  }

  /// The badges that remain; the processes they live with are watched.
  func book(watching processes: ProcessWatches) -> BadgeBook {
    let now = Instant.now().nanoseconds
    var book = BadgeBook(records: records(now: now)) {
      log.warning("a stored badge was left out, since there are too many: '\($0)'")
    }
    for line in state.rejected { log.warning("a stored row was left out: \(line)") }
    for owner in Array(book.watchedProcesses) where !(isOfThisBoot && processes.adopt(owner)) {
      _ = book.processEnded(owner)
    }
    _ = book.expire(now: now)
    _ = book.setQuiet(settings.quiet)
    return book
  }

  private func records(now: Int64) -> [BadgeRecord] {
    guard !isOfThisBoot else { return state.badges }
    let earlier = BootClock(bootID: state.settings.bootID, epoch: state.settings.bootEpoch)
    return state.badges.map { record in
      var record = record
      record.deadline = record.deadline.map { clock.deadline($0, of: earlier, now: now) }
      return record
    }
  }
}

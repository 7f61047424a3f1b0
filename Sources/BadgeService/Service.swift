// SPDX-License-Identifier: MIT
internal import BadgeBus
internal import BadgeCore
package import BadgeStore
package import DBus
package import EventLoop

/// Serves a book of badges on the bus: where calls, the store, the clock and the signals meet.
///
/// A turn of the event loop handles the messages that have arrived. Each call is decoded, applied to
/// the book and answered; its reply is queued. At the end of the turn the changes are committed, then
/// the signals that are due are queued, and everything is flushed together. So nobody learns of a
/// change that could still be lost.
package final class BadgeService {
  let log: Log
  private let connection: Connection
  private let loop: EventLoop
  private let server: ObjectServer
  private let encoder: Encoder
  private let publisher: Publisher
  private let persistence: Persistence
  private let processes: ProcessWatches
  private let quietAlarm: WallClockAlarm
  private var book: BadgeBook
  private var manager = ManagerSignals()
  private var objects: BadgeObjects?
  private var motion: MotionPreference?
  private weak var launcher: LauncherLink?
  private var frameTimer: Timer?
  private var expiryTimer: Timer?

  /// When the service was created, in seconds since the epoch.
  let startTime = WallClock.seconds()

  /// Restores a service from the stored state.
  ///
  /// - Parameters:
  ///   - connection: The connection it serves, attached to `loop`.
  ///   - loop: The event loop.
  ///   - persistence: Where changes are saved.
  ///   - state: What was loaded from there.
  ///   - log: The log.
  package init(
    connection: Connection,
    loop: EventLoop,
    persistence: Persistence,
    state: StoredState,
    log: Log
  ) {
    self.connection = connection
    self.loop = loop
    self.persistence = persistence
    self.log = log
    let restoration = Restoration(of: state, on: .now(), log: log)
    processes = ProcessWatches(loop: loop)
    quietAlarm = WallClockAlarm(loop: loop)
    persistence.settings = restoration.settings
    if restoration.needsRewriting { persistence.rewriteEverything() }
    book = restoration.book(watching: processes)
    persistence.bookChanged()
    encoder = Encoder(connection: connection, log: log)
    publisher = Publisher(sink: encoder)
    publisher.animating = restoration.settings.animations
    server = ObjectServer(connection: connection)
  }

  /// Writes what the restart changed, and serves from now on; the caller requests the name.
  package func start() {
    publisher.begin(with: book)
    launcher?.saveSenders(to: persistence)
    persistence.commit(&book)
    let objects = BadgeObjects(service: self, server: server, connection: connection)
    self.objects = objects
    encoder.objects = objects
    server.export(ManagerInterface.table, target: self, at: BadgeNames.manager)
    objects.export()
    server.onPropertiesCall = { [weak self] in self?.propertiesCalled(at: $0) }
    processes.onEnd = { [weak self] in self?.processEnded($0) }
    quietAlarm.onTime = { [weak self] in self?.endQuietIfOver() }
    connection.willFlush = { [weak self] in self?.endTurn() }
    scheduleEndOfQuiet()
    scheduleExpiry()
  }

  /// Follows the desktop's setting for reduced motion.
  ///
  /// To be called once the name is owned: no start-up step needs the answer.
  package func followDesktop() {
    let motion = MotionPreference(connection: connection) { [weak self] in
      self?.updateAnimating()
    }
    do throws(BusError) {
      try motion.start()
      self.motion = motion
    } catch {
      log.warning("the desktop's wish for motion can't be followed: \(error)")
    }
  }

  /// Sends every pending signal, saves every change and closes the store.
  package func stop() {
    scheduleExpiry()
    frameTimer?.cancel()
    expiryTimer?.cancel()
    launcher?.saveSenders(to: persistence)
    persistence.close(&book)
    publisher.flush(book, at: .now())
    connection.willFlush = nil
    // The server holds its targets strongly, and this is one of them.
    server.unexport(at: BadgeNames.manager)
    server.unexport(at: BadgeNames.badgeObjects)
  }

  /// Tells `launcher` of changed badges from now on, and saves what it knows of senders.
  func attach(_ launcher: LauncherLink) {
    self.launcher = launcher
  }
}

// MARK: - Changes

extension BadgeService {
  /// Changes the badge `id`, and marks it for the commit and for the publisher.
  func change(
    _ id: BadgeID,
    _ mutate: (inout BadgeBook) throws(BadgeError) -> BadgeChange
  ) throws(BusError) {
    let subject = publisher.prepare(id, in: book)
    let change: BadgeChange
    do throws(BadgeError) { change = try mutate(&book) } catch { throw BusError(error) }
    persistence.bookChanged()
    if case .updated = change { publisher.markChanged(subject) } else { mark(change) }
  }

  /// Changes the badge `id` and returns its new count.
  func changeCount(
    of id: BadgeID,
    _ mutate: (inout BadgeBook) throws(BadgeError) -> (count: Int64, change: BadgeChange)
  ) throws(BusError) -> Int64 {
    var count: Int64 = 0
    try change(id) { book throws(BadgeError) in
      let result = try mutate(&book)
      count = result.count
      return result.change
    }
    return count
  }

  /// Changes any of the badges for which `isAffected` is true.
  private func changeEach(
    where isAffected: (Badge) -> Bool,
    _ mutate: (inout BadgeBook) -> BadgeChange
  ) {
    for badge in book.badges where isAffected(badge) { publisher.prepare(badge.id, in: book) }
    let change = mutate(&book)
    persistence.bookChanged()
    mark(change)
  }

  /// Changes any badge.
  func changeAll(_ mutate: (inout BadgeBook) -> BadgeChange) {
    changeEach(where: { _ in true }, mutate)
  }

  private func mark(_ change: BadgeChange) {
    switch change {
    case .none: break
    case .updated(let id): publisher.markChanged(publisher.prepare(id, in: book))
    case .removed(let id, let reason):
      publisher.markRemoved(publisher.prepare(id, in: book), reason)
    case .several(let changes): for change in changes { mark(change) }
    }
  }

  /// Takes an app's announcement of its own badge; nil once no sender announces it.
  ///
  /// - Parameters:
  ///   - announcement: Everything the app announces.
  ///   - id: The app's id.
  ///   - renewed: Whether the app sent an update, rather than one sender taking another's place or
  ///     the daemon being restarted.
  /// - Throws: `LimitsExceeded` for one app too many.
  func announce(
    _ announcement: AppAnnouncement?,
    for id: BadgeID,
    renewed: Bool
  ) throws(BusError) {
    try change(id) { book throws(BadgeError) in
      try book.announce(announcement, for: id, renewed: renewed)
    }
  }

  /// Forgets restored apps that have not announced anything since the restart.
  ///
  /// To be called once all senders that are still alive have been announced.
  func forgetUnannounced() {
    book.forgetUnannounced()
    persistence.bookChanged()
  }

  /// Watches a process for a badge; not to be called while the book is being changed, since it may
  /// find that another process has ended.
  func watch(_ pid: UInt32) throws(BadgeError) -> OwnerProcess {
    try processes.open(pid)
  }

  private func processEnded(_ owner: OwnerProcess) {
    changeEach(where: { $0.owner == owner }) { $0.processEnded(owner) }
  }
}

// MARK: - Reading

extension BadgeService {
  /// The instant that `ttl` counts from, in nanoseconds.
  var now: Int64 { Instant.now().nanoseconds }

  /// The badge `id`; nil where there is none.
  func badge(_ id: BadgeID) -> Badge? { book[id] }

  /// All badges, hidden ones too.
  var badges: BadgeCollection { book.badges }

  /// How many badges there are, hidden ones too.
  package var badgeCount: Int { book.badges.count }

  /// The apps whose badges were removed by somebody, and that have not announced anything since.
  var removedApps: [BadgeID] { book.removedApps }

  /// How many Changed and Removed have been sent.
  var revision: UInt64 { publisher.revision }

  /// Where the state is kept.
  package var statePath: String { persistence.path }

  /// Whether do-not-disturb is on, so that no badge is visible.
  var isQuiet: Bool { book.isQuiet }

  /// How many processes are watched for badges.
  var watchedProcessCount: Int { processes.count }

  /// The properties of the manager that change, as they have been signalled.
  var state: ManagerState {
    ManagerState(
      total: publisher.signalled.total,
      visible: publisher.signalled.visible,
      animations: persistence.settings.animations,
      animating: publisher.animating,
      quiet: persistence.settings.quiet,
      quietUntil: persistence.settings.quietUntil,
      durable: persistence.isDurable
    )
  }

  /// Reads the badge `id`, after sending a signal that waits for it.
  func read(_ id: BadgeID) throws(BusError) -> BadgeAppearance {
    flush(id)
    guard let badge = book[id] else { throw BusError(.noSuchBadge(id)) }
    return BadgeAppearance(badge: badge, isQuiet: book.isQuiet)
  }

  /// Sends the signal that waits for the badge `id`, which is about to be read.
  func flush(_ id: BadgeID) {
    if publisher.isWaiting { publisher.flush(id, book, at: .now()) }
  }

  /// Sends every signal that waits, since all badges are about to be read.
  func flush() {
    if publisher.isWaiting { publisher.flush(book, at: .now()) }
  }

  private func propertiesCalled(at path: ObjectPath) {
    if path == BadgeNames.manager {
      flush()
      manager.follow(state)
    } else {
      objects?.propertiesCalled(at: path)
    }
  }
}

// MARK: - Settings

extension BadgeService {
  /// Turns animations in hints on or off.
  func setAnimations(_ animations: Bool) {
    persistence.settings.animations = animations
    updateAnimating()
  }

  private func updateAnimating() {
    publisher.animating = persistence.settings.animations && !(motion?.isReduced ?? false)
  }

  /// Turns do-not-disturb on or off, until it is changed again or until a time.
  ///
  /// - Parameters:
  ///   - quiet: Whether it is on.
  ///   - until: When it ends, in seconds since the epoch; 0 for never.
  func setQuiet(_ quiet: Bool, until: UInt64 = 0) {
    persistence.settings.quiet = quiet
    persistence.settings.quietUntil = until
    if quiet != book.isQuiet { changeAll { $0.setQuiet(quiet) } }
    scheduleEndOfQuiet()
  }

  /// Turns do-not-disturb on until a time; 0 only lifts the time limit.
  func setQuiet(until: UInt64) {
    setQuiet(until > 0 || persistence.settings.quiet, until: until)
  }

  private func scheduleEndOfQuiet() {
    do throws(SystemError) {
      try quietAlarm.set(persistence.settings.quietUntil)
    } catch {
      log.warning("the end of quiet can't be waited for: \(error)")
    }
  }

  private func endQuietIfOver() {
    let until = persistence.settings.quietUntil
    if until > 0, WallClock.seconds() >= until { setQuiet(false) }
  }
}

// MARK: - Turns

extension BadgeService {
  /// Commits what the turn changed, and then sends the signals that are due.
  private func endTurn() {
    launcher?.saveSenders(to: persistence)
    if processes.count > 0 { processes.keepOnly(book.watchedProcesses) }
    scheduleExpiry()
    persistence.commit(&book)
    publish()
    let changed = publisher.takeMarkedIDs()
    if !changed.isEmpty { launcher?.badgesChanged(changed) }
  }

  private func publish() {
    let now = Instant.now()
    var next = publisher.publish(book, at: now)
    if manager.isFollowed {
      let due = manager.publish(state, at: now) { names in
        _ = try? server.sendPropertiesChanged(
          names,
          of: ManagerInterface.table,
          target: self,
          at: BadgeNames.manager
        )
      }
      if let due { next = min(next ?? due, due) }
    }
    scheduleFrame(at: next)
  }

  /// Makes sure of a turn at `instant`, whose end publishes what waits.
  private func scheduleFrame(at instant: Instant?) {
    if let timer = frameTimer, timer.isScheduled {
      guard let instant else { return timer.cancel() }
      if timer.deadline <= instant { return }
      timer.cancel()
    }
    frameTimer = instant.map { loop.schedule(at: $0) {} }
  }

  /// Schedules the removal of the next badge whose time will be over.
  private func scheduleExpiry() {
    let deadline = book.nextDeadline.map { Instant(nanoseconds: $0) }
    // After a reboot only the wall clock tells how much is left, and it may have been set.
    if deadline != nil { persistence.refreshBootEpoch() }
    if let timer = expiryTimer, timer.isScheduled {
      if timer.deadline == deadline { return }
      timer.cancel()
    }
    expiryTimer = deadline.map { loop.schedule(at: $0) { [weak self] in self?.expire() } }
  }

  private func expire() {
    let now = now
    changeEach(where: { $0.deadline ?? .max <= now }) { $0.expire(now: now) }
  }
}

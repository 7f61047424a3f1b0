// SPDX-License-Identifier: MIT
internal import BadgeCore
public import BadgeStore
public import DBus
public import EventLoop

/// Serves a book of badges on the bus: the one place where calls, the store, the clock and the
/// signals meet.
///
/// A turn of the loop handles what has come in; each call is decoded, validated, applied to the book
/// and answered, and the answer waits in the connection's buffer. At the turn's end what changed is
/// committed to the store, then the signals that are due are written, and all of it leaves together.
/// So nobody is told of a change that could still be lost.
public final class BadgeService {
  /// Where the service says what happens.
  public let log: Log
  /// Whoever wants to know which badges changed.
  public weak var listener: (any BadgeListener)?

  let connection: BusConnection
  let loop: EventLoop
  let journal: StateJournal
  let publisher: FramePublisher
  let processes: ProcessWatches
  let started = WallClock.seconds()
  /// All badges.
  var book: BadgeBook
  private let signals: BusSignals
  let server: ObjectServer
  var objects: BadgeObjects?
  var manager = ManagerSignals()
  var motion: MotionPreference?
  var quietAlarm: WallClockAlarm?
  var frameTimer: Timer?
  var deadlineTimer: Timer?
  var touched: [Subject] = []

  /// A service for what was found in a store.
  ///
  /// - Parameters:
  ///   - connection: The connection it serves, attached to `loop`.
  ///   - loop: The loop.
  ///   - store: Where changes go.
  ///   - state: What was found there.
  ///   - isOpen: Whether the store could be opened; if not, that is tried again.
  ///   - log: Where to say what happens.
  public init(
    connection: BusConnection,
    loop: EventLoop,
    store: any StateStore,
    state: StoredState = StoredState(),
    isOpen: Bool = true,
    log: Log
  ) {
    self.connection = connection
    self.loop = loop
    self.log = log
    let restoration = Restoration(of: state, on: .now(), log: log)
    processes = ProcessWatches(loop: loop)
    journal = StateJournal(store, isOpen: isOpen, state: state, loop: loop, log: log)
    journal.set(restoration.settings)
    if restoration.needsRewriting { journal.rewrite() }
    book = restoration.book(watching: processes)
    journal.note()
    signals = BusSignals(connection: connection, log: log)
    publisher = FramePublisher(sink: signals)
    publisher.animating = restoration.settings.animations
    server = ObjectServer(connection: connection)
  }

  /// Writes what the restart changed, and serves from now on; the name is the caller's business.
  public func start() {
    publisher.begin(with: book)
    _ = takeTouched()
    takeSenderChanges()
    journal.commit(&book)
    let objects = BadgeObjects(service: self, server: server, connection: connection)
    self.objects = objects
    signals.objects = objects
    server.export(ManagerInterface.table, target: self, at: .manager)
    objects.export()
    server.onPropertiesCall = { [weak self] in self?.propertiesCalled(at: $0) }
    processes.ended = { [weak self] owner in
      self?.changeSeveral {
        $0.owner == owner
      } _: {
        $0.processEnded(owner)
      }
    }
    connection.willFlush = { [weak self] in self?.endTurn() }
    followQuiet()
    followDeadlines()
  }

  /// Begins to follow what the desktop asks for; to be called once the name is had, since nothing
  /// waits for it.
  public func followDesktop() {
    let motion = MotionPreference(connection: connection) { [weak self] in self?.applyMotion() }
    do throws(BusError) {
      try motion.start()
      self.motion = motion
    } catch {
      log.warning("the desktop's wish for motion can't be followed: \(error)")
    }
  }

  /// Says all that waits to be said, writes all that is to be written, and gives the store up.
  public func stop() {
    followDeadlines()
    frameTimer?.cancel()
    deadlineTimer?.cancel()
    takeSenderChanges()
    journal.close(&book)
    publisher.flush(book, at: .now())
    connection.willFlush = nil
    // The server holds what it serves, which is this.
    server.unexport(at: .manager)
    server.unexport(at: .badgeObjects)
  }
}

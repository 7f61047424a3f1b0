// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore
import CLinux
import EventLoop
import Glibc

/// Follows badges until the reader leaves, a signal arrives, or the bus is gone.
final class WatchRun {
  /// How long the daemon may be away, for example for a restart, before the reader is told.
  static let patience: Duration = .seconds(2)

  private let session: Session
  private let loop: EventLoop
  private let queue: OutputQueue
  private var printer: any WatchPrinter
  private var state: WatchedBadges
  private var absence: Timer?
  private var failure: CommandError?

  static func run(_ printer: any WatchPrinter, ids: [BadgeID]?, in session: Session)
    throws(CommandError) -> ExitCode
  {
    do {
      let loop = try EventLoop()
      let run = WatchRun(printer, ids: ids, in: session, on: loop)
      try run.watchProcess()
      let follower = try run.follow(ids)
      try loop.run()
      follower.cancel()
      if let failure = run.failure { throw failure }
      return .done
    } catch let error as CommandError {
      throw error
    } catch {
      throw .failed("cannot watch", "\(error)")
    }
  }

  private init(
    _ printer: any WatchPrinter,
    ids: [BadgeID]?,
    in session: Session,
    on loop: EventLoop
  ) {
    self.session = session
    self.loop = loop
    self.printer = printer
    state = WatchedBadges(ids: ids)
    queue = OutputQueue(descriptor: session.console.output, loop: loop)
  }

  private func watchProcess() throws(SystemError) {
    // write(2) and the loop report a reader that has left.
    _ = signal(SIGPIPE, SIG_IGN)
    try loop.handleSignals([SIGTERM, SIGINT]) { [weak loop] _ in loop?.stop() }
    queue.onEnd = { [unowned self] number in
      if number != 0 { failure = CommandError.output(number) }
      loop.stop()
    }
    guard session.console.isTerminal else { return }
    try loop.handleSignals([SIGWINCH]) { [unowned self] _ in
      queue.append(printer.output(for: nil, before: state, after: state))
    }
  }

  private func follow(_ ids: [BadgeID]?) throws(CommandError) -> BadgeFollower {
    // Starting the daemon may take long.
    expectAbsence()
    return try session.ask { client throws(ClientError) in
      try client.attach(to: loop)
      return try BadgeFollower(client, ids: ids, on: loop) { [unowned self] in handle($0) }
    }
  }

  private func handle(_ event: BadgeEvent) {
    switch event {
    case .away:
      expectAbsence()
    case .disconnected:
      print(event)
      failure = CommandError(
        status: .unreachable,
        message: "the session bus is gone; run it again in a session"
      )
      loop.stop()
    case .snapshot, .changed, .removed:
      absence?.cancel()
      absence = nil
      print(event)
    }
  }

  /// Tells the reader that there is no daemon, unless one answers soon.
  private func expectAbsence() {
    guard absence == nil else { return }
    absence = loop.schedule(after: Self.patience) { [unowned self] in print(.away) }
  }

  private func print(_ event: BadgeEvent) {
    let before = state
    state.apply(event)
    queue.append(printer.output(for: event, before: before, after: state))
  }
}

/// The badges that `watch` shows.
struct WatchedBadges {
  /// The ids on the command line, in that order; nil means all badges.
  let ids: [BadgeID]?
  private(set) var badges: [BadgeID: BadgeState] = [:]
  private(set) var isConnected = true
  /// Whether the state is known and has been printed.
  private(set) var hasPrinted = false
  private(set) var motion = MotionClass()

  init(ids: [BadgeID]?) {
    self.ids = ids
  }

  /// The ids to show, in order.
  var shownIDs: [BadgeID] { ids ?? badges.keys.sorted() }

  /// The badges to show, in order; nil for an absent one.
  var shown: [(id: BadgeID, badge: BadgeState?)] { shownIDs.map { ($0, badges[$0]) } }

  mutating func apply(_ event: BadgeEvent) {
    switch event {
    case .snapshot(let list):
      isConnected = true
      hasPrinted = true
      badges = Dictionary(list.badges.map { ($0.id, $0) }) { $1 }
    case .changed(let badge, let animation, _):
      badges[badge.id] = badge
      motion.apply(animation)
    case .removed(let id, _, let animation, _):
      badges[id] = nil
      motion.apply(animation)
    case .away, .disconnected:
      isConnected = false
      hasPrinted = false
      badges = [:]
      motion = MotionClass()
    }
  }
}

/// A class name that differs with each animation, so that a style sheet restarts it.
struct MotionClass: Equatable {
  private(set) var current: String?
  private var isSecond = true

  mutating func apply(_ animation: BadgeAnimation) {
    if animation.name != "none" {
      isSecond.toggle()
      current = animation.name + (isSecond ? "-b" : "-a")
    } else if animation.event != "none" {
      // An animation that repeated while the badge was urgent or visible ends here.
      current = nil
    }
  }
}

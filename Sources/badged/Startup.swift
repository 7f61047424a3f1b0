// SPDX-License-Identifier: MIT
internal import BadgeBus
internal import BadgeService
internal import BadgeStore
internal import DBus
internal import EventLoop
internal import Glibc

/// The steps of a start, in order.
///
/// Nothing is touched before it is known that no other daemon runs, and the name is requested last,
/// so that a client that sees the name sees the badges. A daemon that replaces another requests the
/// name first, which makes the other one end, and then waits for its state.
struct Startup {
  static let name = BadgeNames.service
  /// How long a daemon that is ending may keep the state locked, in milliseconds.
  private static let lockTimeout = 1_000
  /// The same for a daemon that is being replaced.
  private static let replacementTimeout = 5_000

  let options: Options
  let environment: (String) -> String?
  let log: Log

  /// Sets permissions and signals, and keeps badges out of crash reports.
  func prepareProcess() {
    _ = umask(0o077)
    if !log.isVerbose {
      // A core dump would hold texts of badges, and the Swift runtime's report would show memory.
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
      for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
        _ = signal(number, SIG_DFL)
      }
    }
    _ = signal(SIGHUP, SIG_IGN)
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Where the state is kept.
  func directory() throws(StartFailure) -> StateDirectory {
    if let path = options.state { return StateDirectory(path: path) }
    guard let directory = StateDirectory.standard(environment: environment) else {
      throw StartFailure(
        message: "no place for the state: neither XDG_STATE_HOME nor HOME is set; use --state DIR"
      )
    }
    return directory
  }

  /// The address of the session bus.
  func address() throws(StartFailure) -> String {
    guard let address = options.address ?? Connection.sessionAddress(environment: environment)
    else {
      throw StartFailure(
        message: "no session bus: DBUS_SESSION_BUS_ADDRESS is not set, and there is no socket "
          + "$XDG_RUNTIME_DIR/bus or /run/user/\(getuid())/bus"
      )
    }
    return address
  }

  /// Connects to the session bus; Hello is sent together with the first call.
  func connect(to address: String) throws(StartFailure) -> Connection {
    try StartFailure.unlessBus("no session bus at '\(address)'") { () throws(BusError) in
      try Connection(deferringHello: address)
    }
  }

  /// Makes sure that no other daemon serves this bus, or makes it end; a directory that was asked for
  /// is checked before that.
  func claim(
    _ connection: Connection,
    for directory: StateDirectory
  ) throws(StartFailure) {
    if options.replaces {
      // A running daemon must not end for one that can't start.
      try verify(directory)
      return try requestName(on: connection, [.replaceExisting])
    }
    let isOwned = try StartFailure.unlessBus("session bus") { () throws(BusError) in
      try connection.hasOwner(Self.name)
    }
    if isOwned { throw taken(on: connection) }
    try verify(directory)
  }

  /// Checks a directory that was asked for by name; an unusable default directory is retried later.
  private func verify(_ directory: StateDirectory) throws(StartFailure) {
    guard options.state != nil else { return }
    do throws(StoreError) {
      try directory.verify()
    } catch {
      throw StartFailure(message: "--state: \(error)")
    }
  }

  /// Locks the state and loads it.
  func open(
    _ directory: StateDirectory,
    onBus bus: String,
    loop: EventLoop
  ) throws(StartFailure) -> (Persistence, StoredState) {
    do throws(StoreError) {
      return try Persistence.open(
        directory,
        bus: bus,
        waiting: options.replaces ? Self.replacementTimeout : Self.lockTimeout,
        loop: loop,
        log: log
      )
    } catch {
      throw StartFailure(message: "\(error)")
    }
  }

  /// Requests the name, unless it is owned already.
  func publish(_ connection: Connection) throws(StartFailure) {
    if !options.replaces { try requestName(on: connection, []) }
  }

  private func requestName(
    on connection: Connection,
    _ flags: RequestNameFlags
  ) throws(StartFailure) {
    let reply = try StartFailure.unlessBus("name \(Self.name)") { () throws(BusError) in
      try connection.requestName(
        Self.name,
        flags: flags.union([.allowReplacement, .doNotQueue])
      )
    }
    guard reply == .primaryOwner || reply == .alreadyOwner else { throw taken(on: connection) }
  }

  private func taken(on connection: Connection) -> StartFailure {
    let process = (try? connection.processID(of: Self.name)).map { " by process \($0)" } ?? ""
    let advice = options.replaces ? "it can't be replaced" : "--replace takes over"
    return StartFailure(message: "the name \(Self.name) is taken\(process); \(advice)")
  }
}

/// Why the daemon can't serve, in one line.
struct StartFailure: Error {
  var message: String

  /// Returns what `body` returns; an error of the bus is prefixed with `what`.
  static func unlessBus<Result>(
    _ what: String,
    _ body: () throws(BusError) -> Result
  ) throws(StartFailure) -> Result {
    do throws(BusError) {
      return try body()
    } catch {
      throw StartFailure(message: "\(what): \(error.message)")
    }
  }

  /// Returns what `body` returns, or throws the system's error.
  static func unlessSystem<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(StartFailure) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw StartFailure(message: "\(error)")
    }
  }
}

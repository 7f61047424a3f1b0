// SPDX-License-Identifier: MIT
internal import BadgeService
internal import BadgeStore
internal import DBus
internal import Glibc

/// The steps of a start, in their order.
///
/// Nothing is touched before it is known that no other daemon runs, and the name is asked for last,
/// so that whoever sees the name sees the badges. A daemon that replaces another asks for the name
/// first, which makes the other one end, and waits for its state.
struct Startup {
  static let name = BusName(constant: "org.badged.Badges1")
  /// How long a daemon that ends may hold the state, in milliseconds.
  private static let patience = 1_000
  /// How long one that is replaced may.
  private static let replacementPatience = 5_000

  let options: Options
  let environment: (String) -> String?
  let log: Log

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

  /// Where the session's bus is.
  func address() throws(StartFailure) -> String {
    guard let address = options.address ?? BusConnection.sessionAddress(environment: environment)
    else {
      throw StartFailure(
        message: "no session bus: DBUS_SESSION_BUS_ADDRESS is not set, and there is no socket "
          + "$XDG_RUNTIME_DIR/bus or /run/user/\(getuid())/bus"
      )
    }
    return address
  }

  /// A connection to the session's bus, which says Hello together with its first call.
  func connect(to address: String) throws(StartFailure) -> BusConnection {
    try StartFailure.unlessBus("no session bus at '\(address)'") { () throws(BusError) in
      try BusConnection(greetingLater: address)
    }
  }

  /// Makes sure that no other daemon serves this bus, or has it end; before that, that a folder which
  /// was asked for can be used.
  func claim(
    _ connection: BusConnection,
    for directory: StateDirectory
  ) throws(StartFailure) {
    if options.replaces {
      // A daemon that serves must not end for one that can't.
      try verify(directory)
      return try requestName(on: connection, [.replaceExisting])
    }
    let isOwned = try StartFailure.unlessBus("session bus") { () throws(BusError) in
      try connection.hasOwner(Self.name)
    }
    if isOwned { throw taken(on: connection) }
    try verify(directory)
  }

  /// The folder of a person who named none is used from memory until it can be; one that was named is
  /// wrong.
  private func verify(_ directory: StateDirectory) throws(StartFailure) {
    guard options.state != nil else { return }
    do throws(StoreError) {
      try directory.verify()
    } catch {
      throw StartFailure(message: "--state: \(error)")
    }
  }

  /// Locks and reads the state.
  func open(
    _ directory: StateDirectory,
    onBus bus: String
  ) throws(StartFailure) -> DiskStore {
    do throws(StoreError) {
      let store = try DiskStore(
        directory,
        bus: bus,
        waiting: options.replaces ? Self.replacementPatience : Self.patience
      )
      if let fault = store.startFault { log.error("changes are kept in memory only: \(fault)") }
      if let setAside = store.setAside {
        log.error("\(setAside)")
      }
      return store
    } catch {
      throw StartFailure(message: "\(error)")
    }
  }

  /// Asks for the name, unless it is had already.
  func publish(_ connection: BusConnection) throws(StartFailure) {
    if !options.replaces { try requestName(on: connection, []) }
  }

  private func requestName(
    on connection: BusConnection,
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

  private func taken(on connection: BusConnection) -> StartFailure {
    let process = (try? connection.processID(of: Self.name)).map { " by process \($0)" } ?? ""
    let advice = options.replaces ? "it can't be replaced" : "--replace takes over"
    return StartFailure(message: "the name \(Self.name) is taken\(process); \(advice)")
  }
}

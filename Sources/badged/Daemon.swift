// SPDX-License-Identifier: MIT
internal import BadgeService
internal import BadgeStore
internal import CLinux
internal import DBus
internal import EventLoop
internal import Glibc
internal import LauncherEntry

/// The daemon: everything wired together, from the start to the end.
final class Daemon {
  private let log: Log
  private let loop: EventLoop
  private let connection: BusConnection
  private let service: BadgeService
  private let launcher: LauncherLink
  private let watchdog: Watchdog?
  private var isEnding = false

  /// Starts it: the name is had when this returns.
  init(
    _ options: Options,
    environment: @escaping (String) -> String?,
    log: Log
  ) throws(StartFailure) {
    self.log = log
    _ = umask(0o077)
    if !log.isVerbose { CrashPrivacy.keep() }
    _ = signal(SIGHUP, SIG_IGN)
    _ = signal(SIGPIPE, SIG_IGN)
    let loop = try StartFailure.unlessSystem { () throws(SystemError) in
      // A signal that comes during the start is handled once the loop runs.
      try EventLoop.blockSignals([SIGTERM, SIGINT])
      return try EventLoop()
    }
    self.loop = loop
    let startup = Startup(options: options, environment: environment, log: log)
    let directory = try startup.directory()
    let address = try startup.address()
    let connection = try startup.connect(to: address)
    self.connection = connection
    try startup.claim(connection, for: directory)
    let bus = connection.serverID
    let store = try startup.open(directory, onBus: bus)
    service = BadgeService(
      connection: connection,
      loop: loop,
      store: store,
      state: store.state,
      isOpen: store.startFault == nil,
      log: log
    )
    launcher = LauncherLink(
      service: service,
      connection: connection,
      address: address,
      bus: bus,
      loop: loop,
      directories: DesktopEntryDirectories.paths(environment: environment),
      ownsUnityName: options.ownsUnityName
    )
    watchdog = Watchdog(loop: loop, environment: environment)
    try StartFailure.unlessBus("session bus") { () throws(BusError) in
      try launcher.listen(restoring: store.state.senders)
    }
    service.start()
    try startup.publish(connection)
    try listen()
  }

  /// Serves until it is asked to end, replaced, or the session ends.
  func run() throws(StartFailure) {
    log.information("serving \(service.badges.count) badges from '\(service.statePath)'")
    service.followDesktop()
    launcher.speak()
    watchdog?.start(status: "Serving badges")
    // Most of the program was needed only to start; an idle daemon does not hold on to it.
    _ = linux_release_program_pages()
    try StartFailure.unlessSystem(loop.run)
    watchdog?.stop()
    service.stop()
    // What is acknowledged is kept; if the bus is gone, nobody is there to be told.
    try? connection.flushAndWait(timeout: .seconds(2))
    connection.close()
    if let fault = connection.streamFault {
      throw StartFailure(message: "the session bus sent what is no message: \(fault.message)")
    }
  }

  private func listen() throws(StartFailure) {
    _ = try StartFailure.unlessSystem { () throws(SystemError) in
      try loop.handleSignals([SIGTERM, SIGINT]) { [weak self] _ in self?.end() }
    }
    try StartFailure.unlessBus("session bus") { () throws(BusError) in
      connection.onDisconnected = { [weak self, weak connection] in
        if connection?.streamFault == nil { self?.log.information("the session bus is gone") }
        self?.loop.stop()
      }
      try connection.subscribe(.nameLost) { [weak self] _ in self?.nameLost() }
      try connection.attach(to: loop)
    }
  }

  /// Gives the name up and ends once everything that was sent to it has been handled.
  private func end() {
    guard !isEnding else { return }
    isEnding = true
    do throws(BusError) {
      try connection.call(.bus(.releaseName), timeout: .seconds(1)) {
        $0.append(Startup.name.rawValue)
      } completion: { [weak self] _ in
        self?.loop.stop()
      }
    } catch {
      loop.stop()
    }
  }

  private func nameLost() {
    guard !isEnding else { return }
    log.information("another daemon takes over")
    loop.stop()
  }
}

extension MatchRule {
  fileprivate static var nameLost: MatchRule {
    var rule = MatchRule.signal(.nameLost, of: .bus, sender: .bus)
    rule.arguments = [0: Startup.name.rawValue]
    return rule
  }
}

extension InterfaceName {
  fileprivate static let bus = InterfaceName(constant: "org.freedesktop.DBus")
}

extension MemberName {
  fileprivate static let nameLost = MemberName(constant: "NameLost")
  fileprivate static let releaseName = MemberName(constant: "ReleaseName")
}

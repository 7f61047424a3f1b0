// SPDX-License-Identifier: MIT
internal import CLinux
internal import BadgeCore
internal import BadgeService
internal import BadgeStore
internal import DBus
internal import EventLoop
internal import Glibc
internal import LauncherEntry

/// The program as the shell sees it: arguments in, lines and an exit status out.
@main enum Program {
  static func main() {
    exit(run(CommandLine.arguments))
  }

  /// Runs the program with `arguments` and returns the exit status: 0 ended as asked, 1 failed,
  /// 2 wrong usage.
  private static func run(_ arguments: [String]) -> CInt {
    StandardDescriptors.reserve()
    let options: Options
    do throws(UsageError) {
      options = try Options(parsing: Array(arguments.dropFirst()))
    } catch {
      Log.writeToStandardError("badged: \(error.message)\n")
      return 2
    }
    switch options.action {
    case .help: return write(Options.help)
    case .version: return write("badged \(BadgedVersion.current)\n")
    case .serve: return serve(options)
    }
  }

  private static func serve(_ options: Options) -> CInt {
    // Return memory to the system once a long message has been handled.
    linux_return_large_memory(1 << 18)
    let log = Log(
      style: Log.standardErrorIsJournal(environment) ? .priorities : .program("badged"),
      isVerbose: options.isVerbose
    )
    do throws(StartFailure) {
      let daemon = try Daemon(options, environment: environment, log: log)
      try daemon.run()
      return 0
    } catch {
      log.error(error.message)
      return 1
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  private static func write(_ text: String) -> CInt {
    var text = text
    return text.withUTF8 { bytes in
      unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count) == bytes.count ? 0 : 1
    }
  }
}

/// The daemon: everything wired together, from start to end.
final class Daemon {
  private let log: Log
  private let loop: EventLoop
  private let connection: Connection
  private let service: BadgeService
  private let launcher: LauncherLink
  private let watchdog: Watchdog?
  private var isEnding = false

  /// Starts the daemon, which owns its name when this returns.
  init(
    _ options: Options,
    environment: @escaping (String) -> String?,
    log: Log
  ) throws(StartFailure) {
    self.log = log
    let startup = Startup(options: options, environment: environment, log: log)
    startup.prepareProcess()
    loop = try StartFailure.unlessSystem { () throws(SystemError) in
      // A signal that arrives during the start is handled once the loop runs.
      try EventLoop.blockSignals([SIGTERM, SIGINT])
      return try EventLoop()
    }
    let directory = try startup.directory()
    let address = try startup.address()
    connection = try startup.connect(to: address)
    try startup.claim(connection, for: directory)
    let bus = connection.serverID
    let (persistence, state) = try startup.open(directory, onBus: bus, loop: loop)
    service = BadgeService(
      connection: connection,
      loop: loop,
      persistence: persistence,
      state: state,
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
    try StartFailure.unlessBus("session bus") { [launcher] () throws(BusError) in
      try launcher.listen(restoring: state.senders)
    }
    service.start()
    try startup.publish(connection)
    try listen()
  }

  /// Serves until it is asked to end, replaced, or the session ends.
  func run() throws(StartFailure) {
    log.information("serving \(service.badgeCount) badges from '\(service.statePath)'")
    service.followDesktop()
    launcher.speak()
    watchdog?.start(status: "Serving badges")
    try StartFailure.unlessSystem(loop.run)
    watchdog?.stop()
    service.stop()
    // What was acknowledged has been saved; if the bus is gone, nobody is left to be told.
    try? connection.flushAndWait(timeout: .seconds(2))
    connection.close()
  }

  private func listen() throws(StartFailure) {
    _ = try StartFailure.unlessSystem { () throws(SystemError) in
      try loop.handleSignals([SIGTERM, SIGINT]) { [weak self] _ in self?.end() }
    }
    try StartFailure.unlessBus("session bus") { () throws(BusError) in
      connection.onDisconnected = { [weak self] in
        self?.log.information("the session bus is gone")
        self?.loop.stop()
      }
      var nameLost = MatchRule.signal(BusDriver.nameLost, of: BusDriver.interface, sender: .bus)
      nameLost.arguments = [0: Startup.name.rawValue]
      try connection.subscribe(nameLost) { [weak self] _ in self?.nameLost() }
      try connection.attach(to: loop)
    }
  }

  /// Releases the name, and ends once every message that was sent to it has been handled.
  private func end() {
    guard !isEnding else { return }
    isEnding = true
    connection.releaseName(Startup.name, timeout: .seconds(1)) { [weak self] _ in
      self?.loop.stop()
    }
  }

  private func nameLost() {
    guard !isEnding else { return }
    log.information("another daemon takes over")
    loop.stop()
  }
}

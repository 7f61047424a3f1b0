// SPDX-License-Identifier: MIT
internal import Glibc

/// A message bus of the test's own: a real dbus-daemon that knows nothing of the session's.
///
/// It has the limits of a real session bus and no services to start unless folders with activation
/// files are given. Letting go of it ends the daemon and removes its files.
public final class PrivateBus: Sendable {
  @TaskLocal static var scoped: PrivateBus?

  /// The bus of the test that runs, which has the trait `.privateBus`.
  public static var current: PrivateBus {
    guard let scoped else { preconditionFailure("the test lacks the trait .privateBus") }
    return scoped
  }

  /// The address to connect to.
  public let address: String
  /// A folder for the test's own use; the socket is there too.
  public let directory: TemporaryDirectory
  private let daemon: SpawnedProcess

  /// Starts a daemon and waits until it can be connected to.
  ///
  /// - Parameters:
  ///   - serviceDirectories: Folders with D-Bus activation files.
  ///   - configuration: Further elements for the daemon's configuration, such as a `<limit>`.
  ///   - environment: Variables for the services it starts.
  /// - Throws: ``TestFailure`` when it does not come up.
  public init(
    serviceDirectories: [String] = [],
    configuration: String = "",
    environment: [String: String] = [:]
  ) throws {
    directory = try TemporaryDirectory()
    let file = try directory.write(
      Self.configuration(
        directory: directory.path,
        serviceDirectories: serviceDirectories,
        further: configuration
      ),
      to: "bus.conf"
    )
    var variables = Self.baseEnvironment(home: directory.path)
    variables.merge(environment) { $1 }
    daemon = try SpawnedProcess(
      "dbus-daemon",
      ["--config-file=\(file)", "--nofork", "--nopidfile", "--print-address=1"],
      environment: variables
    )
    guard let line = try daemon.readLine() else {
      throw TestFailure("dbus-daemon printed no address: \(daemon.errorOutput)")
    }
    address = line
  }

  /// The daemon's process id.
  public var processID: CInt { daemon.processID }

  /// What a program on this bus gets as its environment: a home of its own, and this bus's address.
  public var environment: [String: String] {
    var environment = Self.baseEnvironment(home: directory.path)
    environment["DBUS_SESSION_BUS_ADDRESS"] = address
    return environment
  }

  /// Ends the daemon: every connection is lost.
  public func stop() {
    daemon.terminate()
  }

  /// Stops the daemon in its tracks, for tests of what waits for it; `resume()` lets it go on.
  public func pause() { daemon.send(signal: SIGSTOP) }

  /// Lets a paused daemon go on.
  public func resume() { daemon.send(signal: SIGCONT) }

  /// Runs a program on this bus to its end.
  public func run(
    _ program: String,
    _ arguments: [String] = [],
    input: SpawnedProcess.Input = .none
  ) throws -> FinishedProcess {
    try SpawnedProcess.run(program, arguments, environment: environment, input: input)
  }

  /// Starts a program on this bus.
  public func spawn(
    _ program: String,
    _ arguments: [String] = [],
    input: SpawnedProcess.Input = .none
  ) throws -> SpawnedProcess {
    try SpawnedProcess(program, arguments, environment: environment, input: input)
  }

  private static func baseEnvironment(home: String) -> [String: String] {
    let path = unsafe getenv("PATH").map { unsafe String(cString: $0) }
    return [
      "HOME": home, "LANG": "C.UTF-8", "PATH": path ?? "/usr/bin:/bin", "XDG_RUNTIME_DIR": home,
    ]
  }

  private static func configuration(
    directory: String,
    serviceDirectories: [String],
    further: String
  ) -> String {
    let services = serviceDirectories.map { "<servicedir>\($0)</servicedir>" }
    return """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <keep_umask/>
        <listen>unix:dir=\(directory)</listen>
        <auth>EXTERNAL</auth>
        \(services.joined(separator: "\n  "))
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
        <limit name="max_incoming_bytes">1000000000</limit>
        <limit name="max_incoming_unix_fds">250000000</limit>
        <limit name="max_outgoing_bytes">1000000000</limit>
        <limit name="max_outgoing_unix_fds">250000000</limit>
        <limit name="max_message_size">1000000000</limit>
        <limit name="service_start_timeout">120000</limit>
        <limit name="auth_timeout">240000</limit>
        <limit name="pending_fd_timeout">150000</limit>
        <limit name="max_completed_connections">100000</limit>
        <limit name="max_incomplete_connections">10000</limit>
        <limit name="max_connections_per_user">100000</limit>
        <limit name="max_pending_service_starts">10000</limit>
        <limit name="max_names_per_connection">50000</limit>
        <limit name="max_match_rules_per_connection">50000</limit>
        <limit name="max_replies_per_connection">50000</limit>
        \(further)
      </busconfig>

      """
  }
}

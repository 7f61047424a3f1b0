// SPDX-License-Identifier: MIT
internal import Glibc
public import Testing

/// A private message bus for one test: a real dbus-daemon, independent of the session bus.
///
/// It has the limits of a real session bus, and no activatable services unless directories with
/// activation files are given. Releasing it ends the daemon and removes its files.
public final class PrivateBus: Sendable {
  @TaskLocal static var scoped: PrivateBus?

  /// The bus of the running test, which must have the trait `.privateBus`.
  public static var current: PrivateBus {
    guard let scoped else { preconditionFailure("the test lacks the trait .privateBus") }
    return scoped
  }

  /// The address to connect to.
  public let address: String
  /// A directory for the test's own files; it also holds the socket.
  public let directory: TemporaryDirectory
  private let daemon: SpawnedProcess

  /// Starts a daemon and waits until it accepts connections.
  ///
  /// - Parameters:
  ///   - serviceDirectories: Directories with D-Bus activation files.
  ///   - configuration: More elements for the daemon's configuration, such as a `<limit>`.
  ///   - environment: Variables for the services it starts.
  /// - Throws: ``TestFailure`` if it does not start.
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

  /// The environment for programs on this bus: a private home, and this bus's address.
  public var environment: [String: String] {
    var environment = Self.baseEnvironment(home: directory.path)
    environment["DBUS_SESSION_BUS_ADDRESS"] = address
    return environment
  }

  /// Ends the daemon, which disconnects everybody.
  public func stop() {
    daemon.terminate()
  }

  /// Suspends the daemon with SIGSTOP, to test what waits for it.
  public func pause() { daemon.send(signal: SIGSTOP) }

  /// Resumes a daemon suspended by ``pause()``.
  public func resume() { daemon.send(signal: SIGCONT) }

  /// Runs a program on this bus until it exits.
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

/// Gives each test case a private bus, ``PrivateBus/current``, and adds to a failure what the
/// processes it started wrote to standard error.
public struct PrivateBusTrait: TestTrait, SuiteTrait, TestScoping {
  /// Applies to each test of a suite.
  public var isRecursive: Bool { true }

  /// Provides a scope for each test case, and none for the test as a whole.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  /// Runs a case with a bus, then ends the bus.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await ProcessLogs.scope(for: test, testCase: testCase) {
      let bus = try PrivateBus()
      defer { bus.stop() }
      try await PrivateBus.$scoped.withValue(bus) { try await function() }
    }
  }
}

extension Trait where Self == PrivateBusTrait {
  /// Gives each test case a private bus, ``PrivateBus/current``.
  public static var privateBus: Self { PrivateBusTrait() }
}

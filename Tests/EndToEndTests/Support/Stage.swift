// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

/// The real programs on the test's private bus.
struct CommandStage {
  let bus: PrivateBus
  private let state: String

  init(_ bus: PrivateBus = .current) {
    self.bus = bus
    state = bus.directory.appending("state")
  }

  /// Starts the daemon and waits until it is ready.
  func startDaemon() throws -> SpawnedProcess {
    let daemon = try bus.spawn(productPath("badged"), ["--no-unity-name", "--state", state])
    try daemon.waitForLine(containing: "serving", from: .error)
    return daemon
  }

  /// Runs `badgectl` until it exits.
  func badgectl(_ words: String..., input: SpawnedProcess.Input = .none) throws -> FinishedProcess {
    try bus.run(productPath("badgectl"), words, input: input)
  }

  /// Runs `badgectl`, which must succeed.
  ///
  /// - Returns: Its output.
  @discardableResult
  func done(_ words: String..., input: SpawnedProcess.Input = .none) throws -> String {
    let run = try bus.run(productPath("badgectl"), words, input: input)
    guard run.status == .success else {
      throw TestFailure("badgectl \(words): \(run.status)\n\(run.errorOutput)")
    }
    return run.output
  }

  /// Starts `badgectl`.
  func spawn(_ words: String..., input: SpawnedProcess.Input = .none) throws -> SpawnedProcess {
    try bus.spawn(productPath("badgectl"), words, input: input)
  }
}

extension PrivateBus {
  /// The state directory of daemons on this bus.
  var statePath: String { directory.appending("state") }

  /// Starts badged on this bus and waits until it reports that it is serving.
  func startDaemon(
    _ options: [String] = [],
    program: String? = nil
  ) throws -> SpawnedProcess {
    let daemon = try spawnDaemon(options, program: program)
    try daemon.waitForLine(containing: "badged: serving", from: .error)
    return daemon
  }

  /// Starts badged on this bus, with its state in the bus's directory.
  func spawnDaemon(
    _ options: [String] = [],
    program: String? = nil
  ) throws -> SpawnedProcess {
    try spawn(try program ?? productPath("badged"), ["--state", statePath] + options)
  }

  /// Runs badgectl on this bus until it exits.
  func badgectl(_ arguments: String...) throws -> FinishedProcess {
    try run(try productPath("badgectl"), arguments)
  }
}

/// The project's files.
enum Project {
  /// The directory of the package manifest.
  static let folder = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()

  /// The absolute path of a file of the project.
  static func path(_ name: String) -> String { folder + "/" + name }

  /// The text of a file of the project.
  ///
  /// - Throws: ``TestFailure`` if it can't be read.
  static func text(_ name: String) throws -> String {
    guard let text = contents(ofFile: path(name)) else { throw TestFailure("can't read \(name)") }
    return text
  }
}

extension Project {
  /// The directory of the programs to install: the release programs if `make test` built them, else those
  /// built with the tests.
  static func programs() throws -> String {
    if let folder = unsafe getenv("BADGED_PROGRAMS") { return unsafe String(cString: folder) }
    return String(try productPath("badged").dropLast("/badged".count))
  }
}

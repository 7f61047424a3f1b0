// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

/// The real programs on the test's own bus.
struct CommandStage {
  let bus: PrivateBus
  private let state: String

  init(_ bus: PrivateBus = .current) {
    self.bus = bus
    state = bus.directory.appending("state")
  }

  /// Starts the daemon and waits until it serves.
  func startDaemon() throws -> SpawnedProcess {
    let daemon = try bus.spawn(productPath("badged"), ["--no-unity-name", "--state", state])
    try daemon.waitForLine(containing: "serving", from: .error)
    return daemon
  }

  /// Runs `badgectl` to its end.
  func badgectl(_ words: String..., input: SpawnedProcess.Input = .none) throws -> FinishedProcess {
    try bus.run(productPath("badgectl"), words, input: input)
  }

  /// Runs `badgectl` and wants it to succeed.
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
  /// Where the daemons here have their state.
  var statePath: String { directory.appending("state") }

  /// Starts badged here, with its state in this bus's folder, and waits until it has its name.
  ///
  /// It says so itself, once it can be called.
  func startDaemon(
    _ options: [String] = [],
    program: String? = nil
  ) throws -> SpawnedProcess {
    let daemon = try spawnDaemon(options, program: program)
    try daemon.waitForLine(containing: "badged: serving", from: .error)
    return daemon
  }

  /// Starts badged here, with its state in this bus's folder.
  func spawnDaemon(
    _ options: [String] = [],
    program: String? = nil
  ) throws -> SpawnedProcess {
    try spawn(try program ?? productPath("badged"), ["--state", statePath] + options)
  }

  /// Runs badgectl here to its end.
  func badgectl(_ arguments: String...) throws -> FinishedProcess {
    try run(try productPath("badgectl"), arguments)
  }
}

/// The files of the project that the tests belong to.
enum Project {
  /// The folder with the package's manifest.
  static let folder = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()

  /// The path of a file, given below the project's folder.
  static func path(_ name: String) -> String { folder + "/" + name }

  /// The text of a file of the project.
  ///
  /// - Throws: ``TestFailure`` where there is none.
  static func text(_ name: String) throws -> String {
    guard let text = contents(ofFile: path(name)) else { throw TestFailure("there is no \(name)") }
    return text
  }
}

extension Project {
  /// The folder with the programs to install: the release ones where `make test` built them, else those
  /// built beside the tests.
  static func programs() throws -> String {
    if let folder = unsafe getenv("BADGED_PROGRAMS") { return unsafe String(cString: folder) }
    return String(try productPath("badged").dropLast("/badged".count))
  }
}

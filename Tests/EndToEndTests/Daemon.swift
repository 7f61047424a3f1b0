// SPDX-License-Identifier: MIT
import TestSupport

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

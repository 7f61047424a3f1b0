// SPDX-License-Identifier: MIT
import TestSupport

extension PrivateBus {
  /// Starts badged here, with its state in this bus's folder, and waits until it has its name.
  ///
  /// It says so itself, once it can be called.
  func startDaemon(_ options: [String] = []) throws -> SpawnedProcess {
    let daemon = try spawn(
      try productPath("badged"),
      ["--state", directory.appending("state")] + options
    )
    try daemon.waitForLine(containing: "badged: serving", from: .error)
    return daemon
  }

  /// Runs badgectl here to its end.
  func badgectl(_ arguments: String...) throws -> FinishedProcess {
    try run(try productPath("badgectl"), arguments)
  }
}

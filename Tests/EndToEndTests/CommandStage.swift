// SPDX-License-Identifier: MIT
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

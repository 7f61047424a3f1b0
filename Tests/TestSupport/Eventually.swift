// SPDX-License-Identifier: MIT
public import EventLoop
internal import Glibc

/// Asks again and again, with short and growing pauses, until `condition` holds or time is up.
///
/// For what tells nobody when it happens; a signal, a line or an exit is waited for itself.
///
/// - Returns: Whether it came to hold, so that a test says `#expect(eventually { … })`.
public func eventually(
  within timeout: Duration = .seconds(30),
  _ condition: () throws -> Bool
) rethrows -> Bool {
  let deadline = Instant.now() + timeout
  var pause: CInt = 1
  while true {
    if try condition() { return true }
    if Instant.now() >= deadline { return false }
    _ = poll(nil, 0, pause)
    pause = min(pause * 2, 20)
  }
}

extension EventLoop {
  /// Takes turns until `condition` holds or time is up.
  ///
  /// - Returns: Whether it came to hold.
  public func run(
    within timeout: Duration = .seconds(30),
    until condition: () throws -> Bool
  ) throws -> Bool {
    let deadline = Instant.now() + timeout
    while try !condition() {
      let now = Instant.now()
      if now >= deadline { return false }
      try runOnce(timeout: deadline - now)
    }
    return true
  }
}

extension SpawnedProcess {
  /// Takes turns of a loop of the test's own until the process ends, as for a tool that calls an
  /// object the test serves.
  ///
  /// - Throws: ``TestFailure`` when it does not end in time.
  public func finish(
    within timeout: Duration = .seconds(20),
    turning loop: EventLoop
  ) throws -> FinishedProcess {
    let deadline = Instant.now() + timeout
    while isRunning, Instant.now() < deadline { try loop.runOnce(timeout: .milliseconds(2)) }
    let status = try wait(within: .zero)
    return FinishedProcess(status: status, output: output, errorOutput: errorOutput)
  }
}

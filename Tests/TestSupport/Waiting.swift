// SPDX-License-Identifier: MIT
public import DBus
public import EventLoop
internal import Glibc

/// Polls `condition`, with growing pauses of up to 20 ms, until it holds or the time is up.
///
/// Use it only for events that send no notification. Wait for signals, lines and exits directly.
///
/// - Returns: Whether the condition held, so that a test can write `#expect(eventually { … })`.
public func eventually(
  within timeout: Duration = .seconds(60),
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
  /// Runs the loop until `condition` holds or the time is up.
  ///
  /// - Returns: Whether the condition held.
  public func run(
    within timeout: Duration = .seconds(60),
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
  /// Runs `loop` until the process ends, so that the process can call objects the test exports.
  ///
  /// - Throws: ``TestFailure`` if it does not end in time.
  public func finish(
    within timeout: Duration = .seconds(60),
    turning loop: EventLoop
  ) throws -> FinishedProcess {
    let deadline = Instant.now() + timeout
    while isRunning, Instant.now() < deadline { try loop.runOnce(timeout: .milliseconds(2)) }
    let status = try wait(within: .zero)
    return FinishedProcess(status: status, output: output, errorOutput: errorOutput)
  }
}

extension Connection {
  /// Sends a call and runs `loop`, which this connection is attached to, until the reply arrives.
  ///
  /// - Throws: ``TestFailure`` if no reply arrives, or the error of sending.
  public func call(
    _ call: MethodCall,
    _ arguments: [Value],
    turning loop: EventLoop
  ) throws -> Result<Message, BusError> {
    var result: Result<Message, BusError>?
    try self.call(call) { writer in
      for argument in arguments { writer.append(argument) }
    } completion: {
      result = $0
    }
    guard try loop.run(until: { result != nil }), let result else {
      throw TestFailure("no reply to \(call.member)")
    }
    return result
  }
}

/// A precondition of a test that did not hold.
public struct TestFailure: Error, CustomStringConvertible {
  /// What failed, for whoever reads the test log.
  public let description: String

  /// A failure with this description.
  public init(_ description: String) {
    self.description = description
  }
}

// SPDX-License-Identifier: MIT
internal import Synchronization
public import Testing

/// The standard error of the processes started by one test case.
final class ProcessLogs: Sendable {
  @TaskLocal static var current: ProcessLogs?

  private struct Entry {
    let name: String
    weak var process: SpawnedProcess?
  }

  private let entries = Mutex<[Entry]>([])
  private let wasTaken = Mutex(false)

  func add(_ process: SpawnedProcess) {
    entries.withLock { $0.append(Entry(name: process.name, process: process)) }
  }

  /// The output of all processes as comments; empty after the first call.
  func takeComments() -> [Comment] {
    let isFirst = wasTaken.withLock { wasTaken in
      defer { wasTaken = true }
      return !wasTaken
    }
    guard isFirst else { return [] }
    return entries.withLock { $0 }.compactMap { entry in
      guard let log = entry.process?.errorOutput, !log.isEmpty else { return nil }
      return Comment(rawValue: "standard error of \(entry.name):\n\(log.suffix(20_000))")
    }
  }

  /// Runs `body`, and adds the output of the processes it starts to the first issue it records.
  static func scope(
    for test: Test,
    testCase: Test.Case?,
    _ body: @Sendable () async throws -> Void
  ) async throws {
    let logs = ProcessLogs()
    let trait = IssueHandlingTrait.compactMapIssues { issue in
      var issue = issue
      issue.comments += logs.takeComments()
      return issue
    }
    try await trait.provideScope(for: test, testCase: testCase) {
      try await $current.withValue(logs) { try await body() }
    }
  }
}

/// Adds to a failure what the processes started by the test wrote to standard error.
public struct ProcessLogsTrait: TestTrait, SuiteTrait, TestScoping {
  /// Applies to each test of a suite.
  public var isRecursive: Bool { true }

  /// Provides a scope for each test case, and none for the test as a whole.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  /// Runs a case and adds the logs to the first issue it records.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await ProcessLogs.scope(for: test, testCase: testCase, function)
  }
}

extension Trait where Self == ProcessLogsTrait {
  /// Adds to a failure what the processes started by the test wrote to standard error.
  public static var processLogs: Self { ProcessLogsTrait() }
}

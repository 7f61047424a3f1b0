// SPDX-License-Identifier: MIT
internal import Synchronization
public import Testing

/// The processes started in a test's scope, for what they said on standard error.
final class ProcessLogs: Sendable {
  @TaskLocal static var current: ProcessLogs?

  private struct Entry {
    let name: String
    weak var process: SpawnedProcess?
  }

  private let entries = Mutex<[Entry]>([])
  private let isTold = Mutex(false)

  func add(_ process: SpawnedProcess) {
    entries.withLock { $0.append(Entry(name: process.name, process: process)) }
  }

  /// What all of them said, the first time it is asked for.
  func takeComments() -> [Comment] {
    let isFirst = isTold.withLock { isTold in
      defer { isTold = true }
      return !isTold
    }
    guard isFirst else { return [] }
    return entries.withLock { $0 }.compactMap { entry in
      guard let log = entry.process?.errorOutput, !log.isEmpty else { return nil }
      return Comment(rawValue: "\(entry.name) said on standard error:\n\(log.suffix(20_000))")
    }
  }

  /// Runs `body` so that an issue recorded in it shows what the processes started in it said.
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

/// Shows with a failure what the processes started by the test said on standard error.
public struct ProcessLogsTrait: TestTrait, SuiteTrait, TestScoping {
  /// Applies to each test of a suite.
  public var isRecursive: Bool { true }

  /// Provides a scope for each case of a test.
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
  /// Shows with a failure what the processes started by the test said on standard error.
  public static var processLogs: Self { ProcessLogsTrait() }
}

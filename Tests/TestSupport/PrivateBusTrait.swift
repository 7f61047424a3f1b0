// SPDX-License-Identifier: MIT
public import Testing

/// Gives each case of a test a bus of its own, ``PrivateBus/current``, and shows with a failure what
/// the processes it started said on standard error.
public struct PrivateBusTrait: TestTrait, SuiteTrait, TestScoping {
  /// Applies to each test of a suite.
  public var isRecursive: Bool { true }

  /// Provides a scope for each case of a test.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  /// Runs a case with a bus, and ends the bus.
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
  /// Gives each case of the test a bus of its own, ``PrivateBus/current``.
  public static var privateBus: Self { PrivateBusTrait() }
}

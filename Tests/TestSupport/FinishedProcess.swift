// SPDX-License-Identifier: MIT

/// What a program that ran to its end left.
public struct FinishedProcess: Hashable, Sendable {
  /// How it ended.
  public let status: ExitStatus
  /// All of its standard output.
  public let output: String
  /// All of its standard error.
  public let errorOutput: String
}

// SPDX-License-Identifier: MIT

/// The process that a badge lives with.
public struct OwnerProcess: Hashable, Sendable {
  /// The process id.
  public let processID: UInt32
  /// When the process was started, in whatever unit the caller has; tells it from a later one of
  /// the same id.
  public let startTime: UInt64

  /// Makes an owner.
  public init(processID: UInt32, startTime: UInt64) {
    self.processID = processID
    self.startTime = startTime
  }
}

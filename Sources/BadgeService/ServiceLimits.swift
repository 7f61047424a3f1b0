// SPDX-License-Identifier: MIT

/// What the service bounds, apart from what a badge may hold.
enum ServiceLimits {
  /// Log lines a second.
  static let logLines = 40

  /// Log lines a second with `--verbose`.
  static let verboseLogLines = 2_000

  /// The least time between two signals of one badge, in nanoseconds.
  static let frame: Int64 = 16_000_000

  /// How often a state that could not be written is tried again, in nanoseconds.
  static let commitRetry: Int64 = 2_000_000_000

  /// How long after a change the file is synced at the latest, in nanoseconds.
  static let syncDelay: Int64 = 900_000_000

  /// How long `--replace` waits for the old daemon's state, in nanoseconds.
  static let replacement: Int64 = 5_000_000_000
}

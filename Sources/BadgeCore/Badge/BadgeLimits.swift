// SPDX-License-Identifier: MIT

/// The limits on what badges hold, and on how many there are.
public enum BadgeLimits {
  /// The longest id or source name, in bytes of UTF-8 without scheme and suffix.
  public static let idBytes = 255
  /// The longest text and the longest description, in bytes of UTF-8.
  public static let textBytes = 256
  /// The longest font family and the longest icon name, in bytes of UTF-8.
  public static let nameBytes = 128
  /// Native badges, including those that have no value yet.
  public static let nativeBadges = 4_096
  /// Apps that announce a badge at the same time.
  public static let announcedBadges = 1_024
  /// Named sources of one badge.
  public static let sourcesPerBadge = 64
  /// Named sources of all badges together.
  public static let sources = 4_096
  /// Named sources set by one call: enough to replace all that a badge has.
  public static let sourcesPerCall = 128
  /// Remembered dismissals, and named sources in all of them together.
  public static let dismissals = 4_096
  /// Ids without a badge whose style is kept, because their app left or its badge was cleared.
  public static let keptStyles = 4_096
  /// Processes watched for badges that live as long as they do.
  public static let watchedProcesses = 256
}

/// The version of badged and badgectl, which are released together.
public enum BadgedVersion {
  /// The version that `--version` and the property `Version` show.
  public static let current = "0.1.0"
}

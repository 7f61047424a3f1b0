// SPDX-License-Identifier: MIT

/// Every bound of the contract in one place.
public enum Limits {
  /// The longest id or source name, in bytes of UTF-8, after scheme and suffix are taken off.
  public static let idBytes = 255

  /// The longest text and the longest description, in bytes of UTF-8.
  public static let textBytes = 256

  /// The longest font family and the longest icon name, in bytes of UTF-8.
  public static let nameBytes = 128

  /// How many native badges there may be, those included that have no value yet.
  public static let nativeBadges = 4_096

  /// How many apps may announce a badge at one time.
  public static let announcedBadges = 1_024

  /// How many named sources one badge may have.
  public static let sourcesPerBadge = 64

  /// How many named sources all badges may have together.
  public static let sources = 4_096

  /// How many named sources one call may set: all that a badge may have, and as many to drop.
  public static let sourcesPerCall = 128

  /// How many dismissals are remembered; also how many named sources they may hold together.
  public static let dismissals = 4_096

  /// For how many ids without a badge a style is kept (an app that left, or was cleared).
  public static let keptLooks = 4_096

  /// How many processes may be watched for the badges that live as long as they do.
  public static let watchedProcesses = 256
}

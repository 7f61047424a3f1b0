// SPDX-License-Identifier: MIT

/// What is read of a file that anybody may have written, generously above what this program writes.
public enum StoreLimits {
  /// Badges, and ids of which something is remembered.
  public static let badges = 32_768

  /// Pairs of sender and app.
  public static let senders = 8_192

  /// Bytes of a text.
  public static let textBytes = 131_072

  /// Rows that are named when they are left out.
  public static let namedRejections = 64
}

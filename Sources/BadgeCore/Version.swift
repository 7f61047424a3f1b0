// SPDX-License-Identifier: MIT

/// The version of badged and badgectl, which are released together.
public enum Version {
  /// As `--version` and the property `Version` say it.
  public static let current = "0.1.0"
}

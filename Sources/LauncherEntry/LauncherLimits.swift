// SPDX-License-Identifier: MIT

/// What apps that announce badges, and the files that describe apps, are held to.
public enum LauncherLimits {
  /// Apps that one sender can speak for.
  public static let appsPerSender = 128

  /// Apps that are spoken for in all.
  public static let apps = 1_024

  /// Pairs of sender and app.
  public static let pairs = 4_096

  /// Updates that one sender may say at once.
  public static let burst = 256

  /// Updates a second that one sender may say; what is more is merged, and its last word is heard.
  public static let rate = 100

  /// Keys in one update.
  public static let keys = 256

  /// Bytes of a text that names an app.
  public static let uriBytes = 4_096

  /// Bytes of a spelling that is remembered, which libunity's for the longest id are.
  static let rememberedSpellingBytes = 300

  /// Badges that docks are told of at a time; each is a connection to the bus.
  public static let outwardConnections = 128

  /// The least time between two things that docks are told of one badge.
  public static let outwardInterval = Duration.milliseconds(35)

  /// Folders with desktop files that are looked for.
  static let directories = 64

  /// Files and folders that are looked at, of all applications.
  public static let desktopEntries = 16_384

  /// Folders that are looked into, and how deep below an applications folder.
  static let folders = 256
  static let folderDepth = 4

  /// Desktop files that are read for the names an app had before, how far, and for how many names.
  static let flatpakFiles = 1_024
  static let flatpakFileBytes = 65_536
  static let formerNames = 16
}

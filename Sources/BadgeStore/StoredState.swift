// SPDX-License-Identifier: MIT
public import BadgeCore

/// Everything that was loaded from a state directory.
public struct StoredState: Sendable {
  /// The badges, and what is remembered of ids without one.
  public var badges: [BadgeRecord] = []
  /// What is kept beside the badges.
  public var settings = StoredSettings()
  /// What senders on the current bus announced.
  public var senders: [SenderRecord] = []
  /// One line for each row that was skipped, since this program can't have written it.
  public var rejected: [String] = []

  /// An empty state.
  public init() {}
}

/// The changes of a turn, to be saved in one transaction.
public struct StoreChanges: Sendable {
  /// Whether to delete everything that is not named here, badges and senders alike.
  public var replacesEverything = false
  /// Ids whose records are deleted.
  public var forgotten: [BadgeID] = []
  /// Records that replace those of their ids.
  public var badges: [BadgeRecord] = []
  /// The settings, if they may have changed.
  public var settings: StoredSettings?
  /// Senders whose records are deleted; only `bus`, `sender` and `app` matter.
  public var departed: [SenderRecord] = []
  /// Records that replace those of their senders and apps.
  public var senders: [SenderRecord] = []

  /// No changes.
  public init() {}

  /// The change of one badge.
  public init(_ record: BadgeRecord) {
    badges = [record]
  }
}

/// What is kept beside the badges: the user's choices, and what identifies the boot.
public struct StoredSettings: Hashable, Sendable {
  /// Whether the user wants animations.
  public var animations = true
  /// Whether no badge is to be visible.
  public var quiet = false
  /// When quiet ends, in seconds since the epoch; 0 for never.
  public var quietUntil: UInt64 = 0
  /// The boot whose `CLOCK_BOOTTIME` deadlines refer to, as in `/proc/sys/kernel/random/boot_id`;
  /// empty if none was stored.
  public var bootID = ""
  /// When that clock was zero, in nanoseconds since the epoch: after a reboot it tells how much of a
  /// deadline is left.
  public var bootEpoch: Int64 = 0

  /// The defaults.
  public init() {}
}

/// What a sender on a bus has announced for an app with `LauncherEntry.Update`.
public struct SenderRecord: Hashable, Sendable {
  /// The GUID of the bus.
  public var bus: String
  /// The sender's unique name, such as `:1.42`.
  public var sender: String
  /// The app that the announcement is about.
  public var app: BadgeID
  /// The highest among an app's senders is the one that announced last.
  public var ordinal: Int64
  /// What it announced.
  public var announcement = AppAnnouncement()

  /// A sender that has not announced anything yet.
  public init(bus: String, sender: String, app: BadgeID, ordinal: Int64) {
    self.bus = bus
    self.sender = sender
    self.app = app
    self.ordinal = ordinal
  }
}

/// How much of a file is loaded, since anybody may have written it; well above what this program
/// writes.
public enum StoreLimits {
  /// Records of badges.
  public static let badges = 32_768
  /// Records of senders.
  public static let senders = 8_192
  /// Named sources of a badge, and as many of a dismissed value.
  public static let sources = 4_096
  /// Bytes of a text.
  public static let textBytes = 131_072
  /// Skipped rows that are reported one by one.
  public static let namedRejections = 64
}

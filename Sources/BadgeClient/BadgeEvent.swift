// SPDX-License-Identifier: MIT
public import BadgeCore

/// Something that happened to the badges that are followed.
public enum BadgeEvent: Hashable, Sendable {
  /// The whole state: when following begins, after the daemon came back, and whenever a signal was
  /// missed. Badges that are not in it are absent.
  case snapshot(BadgeList)
  /// A badge is new or changed; the state is whole.
  case changed(BadgeState, BadgeAnimation, revision: UInt64)
  /// A badge is gone; the reason is one of `RemovalReason` or a newer daemon's.
  case removed(BadgeID, reason: String, BadgeAnimation, revision: UInt64)
  /// The daemon does not run, or left; a snapshot follows when it is back.
  case away
  /// The bus is gone; nothing follows.
  case disconnected
}

// SPDX-License-Identifier: MIT
public import BadgeCore
public import BadgeStore

/// Follows the badges of a ``BadgeService`` from within the daemon: the launcher-entry bridge does.
public protocol BadgeListener: AnyObject {
  /// What is to be stored of senders since the last time this was asked for; asked for at the end of
  /// each turn, before the turn's changes are committed.
  func takeSenderChanges() -> SenderChanges

  /// Tells, once a turn, after the commit, which badges may be new, different or gone.
  func badgesChanged(_ ids: [BadgeID])
}

/// What is to be stored of launcher-entry senders.
public struct SenderChanges: Sendable {
  /// What is to be kept, in place of what was.
  public var saved: [SenderRecord] = []

  /// Of which nothing is to be kept; only `bus`, `sender` and `app` count.
  public var departed: [SenderRecord] = []

  /// Changes nothing.
  public init() {}
}

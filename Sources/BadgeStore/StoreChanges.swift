// SPDX-License-Identifier: MIT
public import BadgeCore

/// What a turn has changed, to be saved as one transaction.
public struct StoreChanges: Sendable {
  /// Whether what is not named here is to be forgotten, badges and senders alike.
  public var replacesEverything = false
  /// Ids of which nothing is to be kept.
  public var forgotten: [BadgeID] = []
  /// What is to be kept of an id, in place of what was.
  public var badges: [BadgeRecord] = []
  /// The settings, if they may have changed.
  public var settings: StoredSettings?
  /// Senders of which nothing is to be kept; only `bus`, `sender` and `app` count.
  public var departed: [SenderRecord] = []
  /// What is to be kept of a sender and app, in place of what was.
  public var senders: [SenderRecord] = []

  /// Changes nothing.
  public init() {}

  /// Changes what is kept of one badge.
  public init(_ record: BadgeRecord) {
    badges = [record]
  }
}

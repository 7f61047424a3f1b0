// SPDX-License-Identifier: MIT
public import BadgeCore

/// Everything that was found in a state directory.
public struct StoredState: Sendable {
  /// The badges, and what is remembered of those that are gone.
  public var badges: [BadgeRecord] = []
  /// The person's wishes.
  public var settings = StoredSettings()
  /// What senders on the bus that was asked for have announced.
  public var senders: [SenderRecord] = []
  /// One line for each row that held what this program never writes; such rows were left out, and
  /// left where they are.
  public var rejected: [String] = []

  /// An empty state.
  public init() {}
}

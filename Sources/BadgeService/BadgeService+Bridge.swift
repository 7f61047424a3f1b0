// SPDX-License-Identifier: MIT
public import BadgeCore

/// What the launcher-entry bridge, and whoever else lives in the daemon, needs.
extension BadgeService {
  /// Takes what an app says of its own badge at present; nil when no sender of it is left.
  ///
  /// - Parameters:
  ///   - announcement: All that the app says.
  ///   - id: The app's id.
  ///   - renewed: Whether the app spoke, and not only one of its senders took another's place, or
  ///     the daemon was restarted.
  /// - Throws: `limitReached` for one app too many.
  public func announce(
    _ announcement: Announcement?,
    for id: BadgeID,
    renewed: Bool = true
  ) throws(BadgeError) {
    try change(id) { book throws(BadgeError) in
      try book.announce(announcement, for: id, renewed: renewed)
    }
  }

  /// The apps whose badges somebody removed, and that have not spoken since.
  public var removedApps: [BadgeID] { book.removedApps }

  /// Forgets what was kept of apps that have not announced anything since the restart; to be called
  /// once all senders that still live have been announced.
  public func forgetUnannounced() {
    changeSeveral { _ in
      false
    } _: { book in
      book.forgetUnannounced()
      return .none
    }
  }

  /// The badge `id`; nil where there is none.
  public func badge(_ id: BadgeID) -> Badge? { book[id] }

  /// All badges, hidden ones too.
  public var badges: BadgeList { book.badges }

  /// Where the state is kept.
  public var statePath: String { journal.path }

  /// Whether the person is not to be disturbed, so that nothing shows.
  public var isQuiet: Bool { book.isQuiet }
}

// SPDX-License-Identifier: MIT

/// What an app's badge shows: the state of its newest living sender, with what that never said
/// filled in.
public struct LauncherAnnouncement: Hashable, Sendable {
  /// The number; 0 where none was ever said.
  public var count: Int64

  /// Whether the app wants the number to be seen; one that never said so does.
  public var isCountVisible: Bool

  /// How far something has got, 0 to 1; nil where there is nothing to show.
  public var progress: Double?

  /// Whether the app wants attention.
  public var isUrgent: Bool

  /// The announcement that follows from all an app has said.
  public init(_ said: LauncherUpdate) {
    count = said.count ?? 0
    isCountVisible = said.isCountVisible ?? true
    progress = said.isProgressVisible == false ? nil : said.progress
    isUrgent = said.isUrgent ?? false
  }
}

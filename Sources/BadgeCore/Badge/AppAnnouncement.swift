// SPDX-License-Identifier: MIT

/// What an app announced for its badge: the checked keys of one `Update`, or of several merged.
///
/// A nil key was never sent.
public struct AppAnnouncement: Hashable, Sendable {
  /// The number, of whatever integer type.
  public var count: Int64?

  /// Whether to show the number.
  public var isCountVisible: Bool?

  /// The progress, 0 to 1; set by ``setProgress(_:)``.
  public private(set) var progress: Double?

  /// Whether to show the progress.
  public var isProgressVisible: Bool?

  /// Whether the app wants attention.
  public var isUrgent: Bool?

  /// An announcement without keys.
  public init() {}

  /// Whether it has no key that a badge could show.
  public var isEmpty: Bool { self == AppAnnouncement() }

  /// Overwrites the keys that `later` has.
  public mutating func merge(_ later: AppAnnouncement) {
    count = later.count ?? count
    isCountVisible = later.isCountVisible ?? isCountVisible
    progress = later.progress ?? progress
    isProgressVisible = later.isProgressVisible ?? isProgressVisible
    isUrgent = later.isUrgent ?? isUrgent
  }

  /// Sets the progress, clamped to 0…1; a value that is not finite is ignored.
  public mutating func setProgress(_ value: Double) {
    guard value.isFinite else { return }
    progress = min(max(value, 0), 1)
  }

  /// The number to show, saturated; 0 if none was sent.
  public var shownCount: Int64 { BadgeCount.saturated(count ?? 0) }

  /// Whether the number is to be shown: an app that never said so wants it shown.
  public var isCountShown: Bool { isCountVisible ?? true }

  /// Whether the app wants attention now.
  public var wantsAttention: Bool { isUrgent ?? false }

  /// The progress to show; nil for none.
  public var shownProgress: Double? { isProgressVisible == false ? nil : progress }
}

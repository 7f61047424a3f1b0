// SPDX-License-Identifier: MIT

/// What an app says of its own badge in its launcher entry, merged from all it has said so far.
public struct Announcement: Hashable, Sendable {
  /// The number, saturated to the bounds of a count.
  public let count: Int64
  /// Whether the app wants the number seen; an app that never said so does.
  public let isCountVisible: Bool
  /// Whether the app wants attention.
  public let isUrgent: Bool
  /// How far it is, 0 to 1; `nil` where the app shows no progress.
  public let progress: Double?

  /// Makes an announcement; what is out of range is brought into it or dropped.
  ///
  /// - Parameters:
  ///   - count: Any number; saturated.
  ///   - isCountVisible: `false` hides the badge and keeps the number.
  ///   - isUrgent: Whether the app wants attention.
  ///   - progress: At most 1; dropped when it is below 0 or not finite.
  public init(
    count: Int64,
    isCountVisible: Bool = true,
    isUrgent: Bool = false,
    progress: Double? = nil
  ) {
    self.count = Count.saturated(count)
    self.isCountVisible = isCountVisible
    self.isUrgent = isUrgent
    self.progress = progress.flatMap { $0.isFinite && $0 >= 0 ? min($0 + 0, 1) : nil }
  }
}

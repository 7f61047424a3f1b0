// SPDX-License-Identifier: MIT

/// What docks are to show for one app.
public struct OutwardState: Hashable, Sendable {
  /// The number; 1 for what has none.
  public var count: Int64

  /// Whether the number is to be seen.
  public var isCountVisible: Bool

  /// How far something has got, 0 to 1; nil where there is nothing to show.
  public var progress: Double?

  /// Whether the app wants attention.
  public var isUrgent: Bool

  /// A state of these parts.
  public init(count: Int64, isCountVisible: Bool, progress: Double? = nil, isUrgent: Bool = false) {
    self.count = count
    self.isCountVisible = isCountVisible
    self.progress = progress
    self.isUrgent = isUrgent
  }

  /// Nothing to show: what docks are told last.
  public static let hidden = OutwardState(count: 0, isCountVisible: false)
}

// SPDX-License-Identifier: MIT

/// What one `Update` says: the keys it has, already checked; what is absent stays as it was.
public struct LauncherUpdate: Hashable, Sendable {
  /// The number, whatever integer type it came as.
  public var count: Int64?

  /// Whether the number is to be seen.
  public var isCountVisible: Bool?

  /// How far something has got, 0 to 1.
  public var progress: Double?

  /// Whether the progress is to be seen.
  public var isProgressVisible: Bool?

  /// Whether the app wants attention.
  public var isUrgent: Bool?

  /// An update that says nothing.
  public init() {}

  /// Whether it says nothing that a badge could show.
  public var isEmpty: Bool { self == LauncherUpdate() }

  /// Takes over what `later` says.
  public mutating func merge(_ later: LauncherUpdate) {
    count = later.count ?? count
    isCountVisible = later.isCountVisible ?? isCountVisible
    progress = later.progress ?? progress
    isProgressVisible = later.isProgressVisible ?? isProgressVisible
    isUrgent = later.isUrgent ?? isUrgent
  }

  /// Takes a number: anything that is not finite is dropped, the rest is brought into 0 to 1.
  public mutating func setProgress(_ value: Double) {
    guard value.isFinite else { return }
    progress = min(max(value, 0), 1)
  }
}

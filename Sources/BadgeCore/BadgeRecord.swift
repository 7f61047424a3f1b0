// SPDX-License-Identifier: MIT

/// Everything about one id that must survive a restart.
///
/// Times are as the book has them; who stores a record stores beside it what is needed to give
/// `deadline` and `owner` their meaning after a reboot.
public struct BadgeRecord: Hashable, Sendable {
  /// Whose record this is.
  public let id: BadgeID
  /// The native badge, if there is one.
  public var native: NativeState?
  /// Style and policy: the keys that are not at their defaults, in the order of the key table.
  public var settings: [BadgeSetting] = []
  /// When the badge is removed, in nanoseconds of `CLOCK_BOOTTIME` of the present boot.
  public var deadline: Int64?
  /// The process that the badge lives with.
  public var owner: OwnerProcess?
  /// What a person dismissed.
  public var dismissal: DismissalState?
  /// How the app's own badge differs from what the app announces.
  public var app: AppState?
  /// For an id without a badge whose style is kept: larger for what was kept later.
  public var keptAge: UInt64?

  /// Makes a record that remembers nothing yet.
  public init(id: BadgeID) {
    self.id = id
  }

  /// Whether there is nothing to keep.
  public var isEmpty: Bool {
    native == nil && settings.isEmpty && deadline == nil && owner == nil && dismissal == nil
      && app == nil
  }
}

/// The part of a record that only a native badge has.
public struct NativeState: Hashable, Sendable {
  /// What the unnamed source holds.
  public var unnamed: UnnamedValue
  /// The named sources.
  public var sources: [NamedCount]
  /// Whether no value was set yet.
  public var isPlaceholder: Bool
  /// Whether the badge wants attention.
  public var isUrgent: Bool
  /// Whether the badge is hidden because its value was dismissed.
  public var isDismissed: Bool
  /// How far something is, 0 to 1; `nil` for none.
  public var progress: Double?

  /// Makes the state of a native badge.
  public init(
    unnamed: UnnamedValue,
    sources: [NamedCount] = [],
    isPlaceholder: Bool = false,
    isUrgent: Bool = false,
    isDismissed: Bool = false,
    progress: Double? = nil
  ) {
    self.unnamed = unnamed
    self.sources = sources
    self.isPlaceholder = isPlaceholder
    self.isUrgent = isUrgent
    self.isDismissed = isDismissed
    self.progress = progress
  }
}

/// The part of a record that a dismissed id has.
public struct DismissalState: Hashable, Sendable {
  /// Larger for what was dismissed later.
  public var age: UInt64
  /// The value of the native badge that was dismissed.
  public var native: DismissedValue?
  /// The number of the app's badge that was dismissed.
  public var app: Int64?

  /// Makes the state of a dismissal.
  public init(age: UInt64, native: DismissedValue?, app: Int64?) {
    self.age = age
    self.native = native
    self.app = app
  }
}

/// The part of a record that an app's badge has where it differs from what the app announces.
public struct AppState: Hashable, Sendable {
  /// Whether the badge wants attention.
  public var isUrgent: Bool
  /// How far something is, 0 to 1; `nil` for none.
  public var progress: Double?
  /// Whether somebody removed the badge, so that it is gone until the app speaks again.
  public var isRemoved: Bool

  /// Makes the state of an app's badge.
  public init(isUrgent: Bool, progress: Double?, isRemoved: Bool) {
    self.isUrgent = isUrgent
    self.progress = progress
    self.isRemoved = isRemoved
  }
}

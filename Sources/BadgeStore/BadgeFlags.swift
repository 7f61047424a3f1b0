// SPDX-License-Identifier: MIT

/// The yes-or-no parts of a badge's row, in its column `flags`.
struct BadgeFlags: OptionSet, Sendable {
  let rawValue: Int64

  /// There is a native badge; without this the row only remembers something about the id.
  static let native = BadgeFlags(rawValue: 1)
  /// The native badge has had no value set yet.
  static let placeholder = BadgeFlags(rawValue: 2)
  /// It wants attention.
  static let urgent = BadgeFlags(rawValue: 4)
  /// It is hidden, since its value is the one that was dismissed.
  static let dismissed = BadgeFlags(rawValue: 8)

  /// Every flag that this program writes.
  static let all: BadgeFlags = [.native, .placeholder, .urgent, .dismissed]
}

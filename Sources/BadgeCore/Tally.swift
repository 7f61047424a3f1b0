// SPDX-License-Identifier: MIT

/// What all present badges add up to, kept as each comes, changes and goes.
///
/// Visibility is counted as if it were not quiet, so that turning that on or off costs nothing.
struct Tally: Hashable, Sendable {
  private(set) var visible = 0
  /// 5,120 counts are more than 64 bits can hold.
  private(set) var total: Int128 = 0
  private(set) var natives = 0
  private(set) var namedSources = 0

  mutating func add(_ badge: Badge) {
    count(badge, sign: 1)
  }

  mutating func remove(_ badge: Badge) {
    count(badge, sign: -1)
  }

  private mutating func count(_ badge: Badge, sign: Int) {
    if badge.origin == .native {
      natives += sign
    }
    namedSources += sign * badge.namedSources.count
    guard badge.isVisible(quiet: false) else { return }
    visible += sign
    if badge.kind == .number {
      total += Int128(sign) * Int128(badge.count)
    }
  }
}

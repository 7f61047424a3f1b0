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

  static func += (tally: inout Tally, part: Part) {
    tally.visible += part.visible
    tally.total += Int128(part.number)
    tally.natives += part.natives
    tally.namedSources += part.namedSources
  }

  static func -= (tally: inout Tally, part: Part) {
    tally.visible -= part.visible
    tally.total -= Int128(part.number)
    tally.natives -= part.natives
    tally.namedSources -= part.namedSources
  }

  /// What one badge adds.
  struct Part {
    var visible = 0
    var number: Int64 = 0
    var natives = 0
    var namedSources = 0

    init(_ badge: Badge) {
      natives = badge.origin == .native ? 1 : 0
      namedSources = badge.namedSources.count
      guard badge.isVisible(quiet: false) else { return }
      visible = 1
      number = badge.kind == .number ? badge.count : 0
    }
  }
}

// SPDX-License-Identifier: MIT
internal import BadgeCore

/// What badges add up to: how many show, and the counts of those that show a number.
struct Tally: Equatable {
  private var sum: Int128 = 0
  private(set) var visible = 0

  init() {}

  init(_ book: BadgeBook) {
    for badge in book.badges { add(Appearance(badge: badge, isQuiet: book.isQuiet)) }
  }

  /// The sum, within the bounds of a count.
  var total: Int64 {
    Int64(min(max(sum, Int128(Count.minimum)), Int128(Count.maximum)))
  }

  mutating func add(_ appearance: Appearance) {
    guard appearance.isVisible else { return }
    visible += 1
    if appearance.badge.kind == .number { sum += Int128(appearance.badge.count) }
  }

  mutating func subtract(_ appearance: Appearance) {
    guard appearance.isVisible else { return }
    visible -= 1
    if appearance.badge.kind == .number { sum -= Int128(appearance.badge.count) }
  }
}

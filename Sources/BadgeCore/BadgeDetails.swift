// SPDX-License-Identifier: MIT

/// What most badges leave at its default, kept out of line for those that don't.
struct BadgeDetails: Hashable, Sendable {
  /// Ordered by name; no count is 0.
  var sources: [NamedCount] = []
  var maximum: Int64 = 999
  /// 0 to 1, or −1 for none.
  var progress = -1.0
  var caption = ExactString("")
  var icon = ExactString("")
  /// Nanoseconds of `CLOCK_BOOTTIME`.
  var deadline: Int64?
  var owner: OwnerProcess?
  var style = Style()

  static let plain = BadgeDetails()
}

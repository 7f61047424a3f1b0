// SPDX-License-Identifier: MIT

/// Where a badge grows when its label does; the offset leads to the side that stays.
public enum Grow: String, CaseIterable, Sendable {
  /// To the left: the right edge stays.
  case head
  /// To both sides: the middle stays.
  case middle
  /// To the right: the left edge stays.
  case tail
}

// SPDX-License-Identifier: MIT

/// The point of what carries the badge that the badge's offsets lead from.
public enum Anchor: String, CaseIterable, Sendable {
  /// The top left corner.
  case topLeft = "top-left"
  /// The top right corner.
  case topRight = "top-right"
  /// The bottom left corner.
  case bottomLeft = "bottom-left"
  /// The bottom right corner.
  case bottomRight = "bottom-right"
  /// The middle.
  case center
}

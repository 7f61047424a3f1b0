// SPDX-License-Identifier: MIT

/// What happens when a label needs more than the smallest box.
public enum Fit: String, CaseIterable, Sendable {
  /// The box grows.
  case grow
  /// The box stays at its smallest size and the text is scaled down to fit.
  case shrink
}

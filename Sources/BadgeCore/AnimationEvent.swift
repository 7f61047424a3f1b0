// SPDX-License-Identifier: MIT

/// What happened to a badge, as a panel may want to show it.
///
/// In the order in which they are looked for: the first that applies is the one.
public enum AnimationEvent: String, CaseIterable, Sendable {
  /// It became hidden, or was removed while visible.
  case disappear
  /// It is not urgent any more.
  case calm
  /// It became urgent while visible, appeared while urgent, or has a new label and is urgent.
  case attention
  /// It became visible.
  case appear
  /// It has a new label.
  case change
  /// None of these.
  case none
}

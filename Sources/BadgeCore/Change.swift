// SPDX-License-Identifier: MIT

/// What a mutation of the book changed.
public enum Change: Hashable, Sendable {
  /// Nothing.
  case none
  /// The badge is new or differs from before, though it may read the same.
  case updated(BadgeID)
  /// There is no badge of this id any more.
  case removed(BadgeID, RemovalReason)
  /// Each of these, in this order; never empty, and never nested.
  case several([Change])

  /// Makes one change of many.
  init(_ changes: [Change]) {
    switch changes.count {
    case 0: self = .none
    case 1: self = changes[0]
    default: self = .several(changes)
    }
  }
}

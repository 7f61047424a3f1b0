// SPDX-License-Identifier: MIT

/// What happened to a badge that a panel may animate.
///
/// The cases are in order of precedence: the first that applies is taken.
public enum AnimationEvent: String, CaseIterable, Sendable {
  /// It became hidden, or was removed while visible.
  case disappear
  /// It is no longer urgent.
  case calm
  /// It became urgent while visible, became visible while urgent, or is urgent and has a new label.
  case attention
  /// It became visible.
  case appear
  /// It has a new label.
  case change
  /// None of these.
  case none
}

/// How a panel may animate a change, derived from what was last signalled and what is now.
public struct AnimationHint: Hashable, Sendable {
  /// Where a number went.
  public enum Direction: String, CaseIterable, Sendable {
    case up
    case down
    /// It is the same, or one of the two badges is not a number.
    case none
  }

  /// What happened.
  public let event: AnimationEvent
  /// The animation to play for it.
  public let animation: AnimationName
  /// Where the number went.
  public let direction: Direction
}

extension AnimationHint {
  /// Derives the hint for a change.
  ///
  /// - Parameters:
  ///   - old: What was last signalled; `nil` for a new badge.
  ///   - new: What is signalled now; `nil` for a removal.
  ///   - animating: Whether settings of the daemon and of the desktop allow animations.
  public init(from old: BadgeAppearance?, to new: BadgeAppearance?, animating: Bool) {
    // Unwrapping an optional copies its content: do it once for each.
    if let new {
      if let old {
        self.init(from: old, to: new, animating: animating)
      } else {
        let arrival: AnimationEvent = new.badge.isUrgent ? .attention : .appear
        self.init(new.isVisible ? arrival : .none, of: new.badge, animating: animating)
      }
    } else if let old {
      self.init(old.isVisible ? .disappear : .none, of: old.badge, animating: animating)
    } else {
      self.init(.none, of: .plain, animating: false)
    }
  }

  private init(
    _ event: AnimationEvent,
    of badge: Badge,
    animating: Bool,
    direction: Direction = .none
  ) {
    let animation = animating ? Self.animation(for: event, of: badge.style) : .none
    self.init(event: event, animation: animation, direction: direction)
  }

  private init(from old: BadgeAppearance, to new: BadgeAppearance, animating: Bool) {
    let wasVisible = old.isVisible
    let isVisible = new.isVisible
    // What Quiet shows or hides is not animated.
    let isByQuiet = old.isQuiet != new.isQuiet && wasVisible != isVisible
    self.init(
      Self.event(from: old.badge, wasVisible: wasVisible, to: new.badge, isVisible: isVisible),
      of: new.badge,
      animating: animating && !isByQuiet,
      direction: Self.direction(from: old.badge, to: new.badge)
    )
  }

  private static func event(
    from old: Badge,
    wasVisible: Bool,
    to new: Badge,
    isVisible: Bool
  ) -> AnimationEvent {
    if wasVisible && !isVisible { return .disappear }
    if old.isUrgent && !new.isUrgent { return .calm }
    guard isVisible else { return .none }
    let hasNewLabel = !new.hasSameLabel(as: old)
    if new.isUrgent && (!old.isUrgent || !wasVisible || hasNewLabel) { return .attention }
    if !wasVisible { return .appear }
    return hasNewLabel ? .change : .none
  }

  private static func direction(from old: Badge, to new: Badge) -> Direction {
    guard old.kind == .number, new.kind == .number else { return .none }
    let (before, after) = (old.count, new.count)
    return after > before ? .up : after < before ? .down : .none
  }

  private static func animation(for event: AnimationEvent, of style: BadgeStyle) -> AnimationName {
    guard style.animates else { return .none }
    return switch event {
    case .calm, .none: .none
    case .attention: .shake
    case .disappear: style.disappear
    case .appear: style.appear
    case .change: style.change
    }
  }
}

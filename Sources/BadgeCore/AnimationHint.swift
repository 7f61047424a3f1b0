// SPDX-License-Identifier: MIT

/// How a panel may animate a change, worked out from what was signalled last and what is now.
public struct AnimationHint: Hashable, Sendable {
  /// Where the number went.
  public enum Direction: String, CaseIterable, Sendable {
    /// To a larger one.
    case up
    /// To a smaller one.
    case down
    /// Nowhere, or there is no number to compare.
    case none
  }

  /// What happened.
  public let event: AnimationEvent
  /// What is played for it.
  public let animation: Animation
  /// Where the number went.
  public let direction: Direction

  /// Makes a hint of its parts.
  public init(event: AnimationEvent, animation: Animation, direction: Direction) {
    self.event = event
    self.animation = animation
    self.direction = direction
  }

  /// Works out the hint for a change.
  ///
  /// - Parameters:
  ///   - old: What was last signalled; `nil` for a badge that is new.
  ///   - new: What is signalled now; `nil` for a removal.
  ///   - animating: Whether the person wants animations and the desktop allows them.
  public init(from old: Appearance?, to new: Appearance?, animating: Bool) {
    // To look into an optional copies what is in it: once for each is enough.
    if let new {
      if let old {
        self.init(from: old, to: new, animating: animating)
      } else {
        self.init(event: Self.arrival(of: new), of: new.badge, animating: animating)
      }
    } else if let old {
      let event: AnimationEvent = old.isVisible ? .disappear : .none
      self.init(event: event, of: old.badge, animating: animating)
    } else {
      self.init(event: .none, animation: .none, direction: .none)
    }
  }

  /// A hint of a badge that is new or gone, which Quiet neither shows nor hides.
  private init(event: AnimationEvent, of badge: Badge, animating: Bool) {
    let animation = animating ? badge.animation(for: event) : .none
    self.init(event: event, animation: animation, direction: .none)
  }

  private init(from old: Appearance, to new: Appearance, animating: Bool) {
    let wasVisible = old.isVisible
    let isVisible = new.isVisible
    let event = Self.event(from: old.badge, wasVisible, to: new.badge, isVisible)
    let isByQuiet = old.isQuiet != new.isQuiet && wasVisible != isVisible
    self.init(
      event: event,
      animation: animating && !isByQuiet ? new.badge.animation(for: event) : .none,
      direction: Self.direction(from: old.badge, to: new.badge)
    )
  }

  private static func arrival(of new: Appearance) -> AnimationEvent {
    guard new.isVisible else { return .none }
    return new.badge.isUrgent ? .attention : .appear
  }

  private static func event(
    from old: Badge,
    _ wasVisible: Bool,
    to new: Badge,
    _ isVisible: Bool
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
}

extension Badge {
  /// What is played for an event.
  fileprivate func animation(for event: AnimationEvent) -> Animation {
    detail { details in
      guard details.style.animates else { return .none }
      return switch event {
      case .calm, .none: .none
      case .attention: .shake
      case .disappear: details.style.disappear
      case .appear: details.style.appear
      case .change: details.style.change
      }
    }
  }
}

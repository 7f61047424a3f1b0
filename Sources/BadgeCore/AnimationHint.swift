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
    let badge = new?.badge ?? old?.badge
    let wasVisible = old?.isVisible ?? false
    let isVisible = new?.isVisible ?? false
    event = Self.event(from: old?.badge, wasVisible, to: new?.badge, isVisible)
    direction = Self.direction(from: old?.badge, to: new?.badge)
    let isByQuiet = old?.isQuiet != new?.isQuiet && wasVisible != isVisible
    // A badge that is new or gone is not shown or hidden by Quiet.
    let canPlay = animating && !(old != nil && new != nil && isByQuiet)
    animation = canPlay ? badge?.animation(for: event) ?? .none : .none
  }

  private static func event(
    from old: Badge?,
    _ wasVisible: Bool,
    to new: Badge?,
    _ isVisible: Bool
  ) -> AnimationEvent {
    if wasVisible && !isVisible { return .disappear }
    guard let new else { return .none }
    let wasUrgent = old?.isUrgent ?? false
    if wasUrgent && !new.isUrgent { return .calm }
    guard isVisible else { return .none }
    let hasNewLabel = old.map { !new.hasSameLabel(as: $0) } ?? true
    if new.isUrgent && (!wasUrgent || !wasVisible || hasNewLabel) { return .attention }
    if !wasVisible { return .appear }
    return hasNewLabel ? .change : .none
  }

  private static func direction(from old: Badge?, to new: Badge?) -> Direction {
    guard let old, let new, old.kind == .number, new.kind == .number else { return .none }
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

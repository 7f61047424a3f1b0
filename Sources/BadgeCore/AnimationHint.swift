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
    event = Self.event(from: old, to: new)
    direction = Self.direction(from: old?.badge, to: new?.badge)
    let style = new?.badge.style ?? old?.badge.style ?? Style()
    let isByQuiet = Self.isByQuiet(from: old, to: new)
    animation =
      animating && style.animates && !isByQuiet ? Self.animation(for: event, in: style) : .none
  }

  private static func event(from old: Appearance?, to new: Appearance?) -> AnimationEvent {
    let wasVisible = old?.isVisible ?? false
    guard let new else { return wasVisible ? .disappear : .none }
    let isVisible = new.isVisible
    if wasVisible && !isVisible { return .disappear }
    let wasUrgent = old?.badge.isUrgent ?? false
    let isUrgent = new.badge.isUrgent
    if wasUrgent && !isUrgent { return .calm }
    guard isVisible else { return .none }
    let hasNewLabel = old.map { !$0.badge.hasSameLabel(as: new.badge) } ?? true
    if isUrgent && (!wasUrgent || !wasVisible || hasNewLabel) { return .attention }
    if !wasVisible { return .appear }
    return hasNewLabel ? .change : .none
  }

  private static func direction(from old: Badge?, to new: Badge?) -> Direction {
    guard let old, let new, old.kind == .number, new.kind == .number else { return .none }
    let (before, after) = (old.count, new.count)
    return after > before ? .up : after < before ? .down : .none
  }

  /// Whether a change of Quiet shows or hides the badge.
  private static func isByQuiet(from old: Appearance?, to new: Appearance?) -> Bool {
    guard let old, let new else { return false }
    return old.isQuiet != new.isQuiet && old.isVisible != new.isVisible
  }

  private static func animation(for event: AnimationEvent, in style: Style) -> Animation {
    switch event {
    case .disappear: style.disappear
    case .attention: .shake
    case .appear: style.appear
    case .change: style.change
    case .calm, .none: .none
    }
  }
}

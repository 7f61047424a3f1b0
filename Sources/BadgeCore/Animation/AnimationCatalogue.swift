// SPDX-License-Identifier: MIT

/// The name of an animation in the catalogue.
public enum AnimationName: String, CaseIterable, Sendable {
  /// No animation.
  case none
  /// Shrinks from one and a half times its size, past its size and back.
  case bounce
  /// Shrinks to nothing.
  case shrink
  /// Grows from a tenth on a spring.
  case spring
  /// Turns left and right until the badge is calmed.
  case shake
  /// Shrinks, swells and settles.
  case pop
  /// Hops twice.
  case bump
  /// Blinks twice.
  case blink
  /// Fades out and in slowly until the badge is calmed.
  case breathe

  /// How to play it; `nil` for `none`.
  public var motion: AnimationMotion? {
    Self.catalogue[self]
  }

  // swift-format-ignore
  private static let catalogue: [AnimationName: AnimationMotion] = [
    .bounce: .init(property: .scale, keyframes: [(0, 1.5), (1, 1)], duration: 0.2,
      easing: .bezier(0.4, 1.3, 1, 1)),
    .shrink: .init(property: .scale, keyframes: [(0, 1), (1, 0)], duration: 0.2,
      easing: .bezier(0.42, 0, 0.58, 1)),
    .spring: .init(property: .scale, keyframes: [(0, 0.1), (1, 1)], duration: 0.5,
      easing: .spring(damping: 0.5, velocity: 0.5)),
    .shake: .init(property: .rotation, keyframes: [(0, -5), (0.5, 5), (1, -5)], duration: 0.25,
      plays: 0),
    .pop: .init(property: .scale,
      keyframes: [(0, 1), (0.143, 0.85), (0.714, 1.05), (0.857, 0.95), (1, 1)], duration: 0.35),
    .bump: .init(property: .translateY,
      keyframes: [(0, 0), (0.283, -8), (0.565, 0), (0.783, -4), (1, 0)], duration: 0.46),
    .blink: .init(property: .opacity,
      keyframes: [(0, 0.1), (1.0 / 3, 1), (2.0 / 3, 0.1), (1, 1)], duration: 0.3),
    .breathe: .init(property: .opacity, keyframes: [(0, 1), (0.5, 0.1), (1, 1)], duration: 2.8,
      plays: 0),
  ]
}

/// How an animation moves a badge, complete enough to play without knowing its name.
public struct AnimationMotion: Sendable {
  /// The property of the drawn badge that is animated.
  public enum Property: String, CaseIterable, Sendable {
    /// A factor.
    case scale
    /// Degrees, clockwise.
    case rotation
    /// 0 to 1.
    case opacity
    /// Pixels, downward.
    case translateY = "translate-y"
  }

  /// How time runs within a play.
  public enum Easing: Hashable, Sendable {
    case linear
    /// The control points of a CSS `cubic-bezier` over the whole play.
    case bezier(Double, Double, Double, Double)
    case spring(damping: Double, velocity: Double)
  }

  /// The property that is animated.
  public let property: Property
  /// The property's values, ordered by their offsets in the play: 0 is its start, 1 its end.
  public let keyframes: [(offset: Double, value: Double)]
  /// Seconds for one play.
  public let duration: Double
  /// How time runs within a play.
  public fileprivate(set) var easing = Easing.linear
  /// How many plays; 0 until the badge is calmed or hidden, or another animation replaces it.
  public fileprivate(set) var plays: UInt32 = 1
}

// SPDX-License-Identifier: MIT

/// How an animation moves a badge, complete enough to play without knowing its name.
public struct Motion: Hashable, Sendable {
  /// The property of the drawn badge that changes.
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

  /// A value at a point of the play.
  public struct Keyframe: Hashable, Sendable {
    /// When: 0 is the start of a play, 1 its end.
    public let offset: Double
    /// What the property is then.
    public let value: Double

    /// Makes a keyframe.
    public init(_ offset: Double, _ value: Double) {
      self.offset = offset
      self.value = value
    }
  }

  /// How time runs within a play.
  public enum Pace: Hashable, Sendable {
    /// Evenly.
    case linear
    /// By the control points of a CSS `cubic-bezier` over the whole play.
    case bezier(Double, Double, Double, Double)
    /// By a spring.
    case spring(damping: Double, velocity: Double)
  }

  /// What changes.
  public let property: Property
  /// Its values, in order of their offsets, from 0 to 1.
  public let keyframes: [Keyframe]
  /// Seconds for one play.
  public let duration: Double
  /// How time runs.
  public let pace: Pace
  /// How many plays; 0 until it is calmed, hidden, or another animation takes its place.
  public let plays: UInt32
}

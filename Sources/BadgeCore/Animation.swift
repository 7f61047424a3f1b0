// SPDX-License-Identifier: MIT

/// An animation of the catalogue, by name.
public enum Animation: String, CaseIterable, Sendable {
  /// Nothing is played.
  case none
  /// Shrinks from half as large again, past its size and back.
  case bounce
  /// Shrinks to nothing.
  case shrink
  /// Grows from a tenth on a spring.
  case spring
  /// Turns to and fro until it is calmed.
  case shake
  /// Shrinks, swells and settles.
  case pop
  /// Hops twice.
  case bump
  /// Blinks twice.
  case blink
  /// Fades out and in slowly until it is calmed.
  case breathe

  /// What is moved and how, complete enough to play; `nil` for `none`.
  public var motion: Motion? {
    Motion.catalogue[self]
  }
}

// SPDX-License-Identifier: MIT

/// How a badge is drawn and moved: the keys from `animate` to `offset-y`.
///
/// The values of a new style are the contract's defaults, which are the preset `badge`. Lengths are
/// pixels.
public struct Style: Hashable, Sendable {
  /// Whether hints of this badge name an animation at all.
  public var animates = true
  /// What is played when it becomes visible.
  public var appear = Animation.none
  /// What is played when its label changes.
  public var change = Animation.bounce
  /// What is played when it becomes hidden or is removed.
  public var disappear = Animation.shrink
  /// The colour of the box.
  public var background = Color(red: 0xFF, green: 0, blue: 0)
  /// The colour of the label.
  public var foreground = Color(red: 0xFF, green: 0xFF, blue: 0xFF)
  private var family = ExactString("")
  /// The size of the font.
  public var fontSize = 12.0
  /// Added once to the height and once to the width.
  public var padding = 6.0
  /// The smallest height, and width, of the box.
  public var minimumSize = 8.0
  /// What happens when the label needs more.
  public var fit = Fit.grow
  /// Where the offsets lead from.
  public var anchor = Anchor.topRight
  /// Which side stays when the label grows.
  public var grow = Grow.tail
  /// From the anchor to the side that stays.
  public var offsetX = -10.0
  /// From the anchor to the top, the bottom or the middle of the box, as the anchor says.
  public var offsetY = -4.0

  /// Makes the default style.
  public init() {}

  /// The family of the font; empty means the panel's own.
  public var font: String {
    get { family.text }
    set { family = ExactString(newValue) }
  }
}

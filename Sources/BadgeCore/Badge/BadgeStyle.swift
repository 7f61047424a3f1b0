// SPDX-License-Identifier: MIT

/// How a badge is drawn and animated: the keys from `animate` to `offset-y`.
///
/// A new style has the defaults, which are the preset `badge`. Lengths are in pixels.
public struct BadgeStyle: Hashable, Sendable {
  /// Whether hints of this badge name an animation at all.
  public var animates = true
  /// The animation for becoming visible.
  public var appear = AnimationName.none
  /// The animation for a new label.
  public var change = AnimationName.bounce
  /// The animation for being hidden or removed.
  public var disappear = AnimationName.shrink
  /// The colour of the box.
  public var background = BadgeColor(red: 0xFF, green: 0, blue: 0)
  /// The colour of the label.
  public var foreground = BadgeColor(red: 0xFF, green: 0xFF, blue: 0xFF)
  private var family = ExactString("")
  /// The size of the label's font.
  public var fontSize = 12.0
  /// Added once to the height and once to the width of the box.
  public var padding = 6.0
  /// The smallest height and width of the box.
  public var minimumSize = 8.0
  /// Whether box or text adapts when the label needs more than the smallest box.
  public var fit = BadgeFit.grow
  /// The point from which the offsets are measured.
  public var anchor = BadgeAnchor.topRight
  /// The direction in which the box grows.
  public var grow = BadgeGrow.tail
  /// From the anchor to the side of the box that stays in place.
  public var offsetX = -10.0
  /// From the anchor to the top, the bottom or the middle of the box, depending on the anchor.
  public var offsetY = -4.0

  /// Makes the default style.
  public init() {}

  /// The font family; empty for the panel's own.
  public var font: String {
    get { family.text }
    set { family = ExactString(newValue) }
  }
}

/// A named style that resets every style and animation key.
public enum BadgePreset: String, CaseIterable, Sendable {
  /// The defaults: a small red pill at the top right.
  case badge
  /// A green counter in the middle whose text shrinks to fit.
  case counter

  /// All values of the preset.
  public var style: BadgeStyle {
    var style = BadgeStyle()
    guard self == .counter else { return style }
    style.background = BadgeColor(red: 0x09, green: 0xBB, blue: 0x07)
    style.fontSize = 14
    style.fit = .shrink
    style.minimumSize = 20
    style.padding = 0
    style.anchor = .center
    style.grow = .middle
    style.offsetX = 0
    style.offsetY = 0
    style.appear = .spring
    style.change = .spring
    style.disappear = .none
    return style
  }
}

/// The point of the icon or button from which a badge's offsets are measured.
public enum BadgeAnchor: String, CaseIterable, Sendable {
  case topLeft = "top-left"
  case topRight = "top-right"
  case bottomLeft = "bottom-left"
  case bottomRight = "bottom-right"
  case center
}

/// What adapts when a label needs more than the smallest box.
public enum BadgeFit: String, CaseIterable, Sendable {
  /// The box grows.
  case grow
  /// The box stays at its smallest size and the text is scaled down.
  case shrink
}

/// The direction in which a badge grows with its label; the horizontal offset leads to the side
/// that stays in place.
public enum BadgeGrow: String, CaseIterable, Sendable {
  /// To the left; the right edge stays.
  case head
  /// To both sides; the middle stays.
  case middle
  /// To the right; the left edge stays.
  case tail
}

/// A colour, written `#RGB`, `#RRGGBB` or `#RRGGBBAA`.
public struct BadgeColor: Hashable, Sendable, CustomStringConvertible {
  /// Red, 0 to 255.
  public let red: UInt8
  /// Green, 0 to 255.
  public let green: UInt8
  /// Blue, 0 to 255.
  public let blue: UInt8
  /// Opacity, 0 to 255; `nil` if not given, which means opaque.
  public let alpha: UInt8?

  /// Makes a colour of its components, each 0 to 255.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8? = nil) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Parses a colour, with digits of either case; `nil` for any other text.
  public init?(_ text: String) {
    guard [4, 7, 9].contains(text.utf8.count), text.utf8.first == UInt8(ascii: "#") else {
      return nil
    }
    var digits: [UInt8] = []
    for byte in text.utf8.dropFirst() {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      digits.append(UInt8(digit))
    }
    if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    self.init(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes.dropFirst(3).first)
  }

  /// `#RRGGBB`, or `#RRGGBBAA` if opacity was given, in upper case.
  public var description: String {
    var text = "#"
    for byte in [red, green, blue] + (alpha.map { [$0] } ?? []) {
      text += (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return text
  }
}

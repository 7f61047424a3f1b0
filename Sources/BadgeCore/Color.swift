// SPDX-License-Identifier: MIT

/// A colour of the style: `#RGB`, `#RRGGBB` or `#RRGGBBAA`.
public struct Color: Hashable, Sendable, CustomStringConvertible {
  /// Red, 0 to 255.
  public let red: UInt8
  /// Green, 0 to 255.
  public let green: UInt8
  /// Blue, 0 to 255.
  public let blue: UInt8
  /// Opacity, 0 to 255; `nil` where none was given, which means opaque.
  public let alpha: UInt8?

  /// Makes a colour of its parts.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8? = nil) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Reads a colour, with digits of either case; anything else gives `nil`.
  public init?(_ text: String) {
    var bytes = Array(text.utf8)
    guard [4, 7, 9].contains(bytes.count), bytes.removeFirst() == UInt8(ascii: "#") else {
      return nil
    }
    var digits: [UInt8] = []
    for byte in bytes {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      digits.append(UInt8(digit))
    }
    if digits.count == 3 {
      digits = digits.flatMap { [$0, $0] }
    }
    self.init(
      red: digits[0] << 4 | digits[1],
      green: digits[2] << 4 | digits[3],
      blue: digits[4] << 4 | digits[5],
      alpha: digits.count == 8 ? digits[6] << 4 | digits[7] : nil
    )
  }

  /// The colour as it reads back: `#RRGGBB`, or `#RRGGBBAA` where opacity was given, upper case.
  public var description: String {
    [red, green, blue, alpha].reduce(into: "#") { text, part in
      guard let part else { return }
      text += (part < 16 ? "0" : "") + String(part, radix: 16, uppercase: true)
    }
  }
}

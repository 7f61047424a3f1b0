// SPDX-License-Identifier: MIT

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
    let bytes = Array(text.utf8)
    guard [4, 7, 9].contains(bytes.count), bytes[0] == UInt8(ascii: "#") else { return nil }
    // All digits as one number; in `#RGB` each digit stands for two.
    var number: UInt32 = 0
    for byte in bytes.dropFirst() {
      guard let digit = Self.value(of: byte) else { return nil }
      number = number << 4 | digit
      if bytes.count == 4 { number = number << 4 | digit }
    }
    func part(_ index: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: number >> (bytes.count == 9 ? 24 - 8 * index : 16 - 8 * index))
    }
    self.init(
      red: part(0),
      green: part(1),
      blue: part(2),
      alpha: bytes.count == 9 ? part(3) : nil
    )
  }

  /// `#RRGGBB`, or `#RRGGBBAA` if opacity was given, in upper case.
  public var description: String {
    var text = [UInt8(ascii: "#")]
    for part in alpha.map({ [red, green, blue, $0] }) ?? [red, green, blue] {
      text.append(Self.digit(part >> 4))
      text.append(Self.digit(part & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit - UInt8(ascii: "A") + 10)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a") + 10)
    default: nil
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}

// SPDX-License-Identifier: MIT
import BadgeCore

/// Reads numbers from a command line.
enum Numbers {
  /// A count; nil if the text is not a whole number.
  ///
  /// - Throws: ``CommandError`` with status 1 if it is out of bounds.
  static func count(_ text: String) throws(CommandError) -> Int64? {
    switch BadgeCount.read(text, allowsSign: true) {
    case .count(let number): return number
    case .outOfBounds: throw outOfBounds("count", text, maximum: BadgeCount.maximum)
    case .text: return nil
    }
  }

  /// A 64-bit number, which errors call `name`; nil if the text is not a whole number.
  ///
  /// - Throws: ``CommandError`` with status 1 if it is out of bounds.
  static func whole(_ text: String, named name: String) throws(CommandError) -> Int64? {
    switch BadgeCount.read(text, allowsSign: true) {
    case .count(let number): return number
    case .outOfBounds:
      guard let number = Int64(text) else {
        throw outOfBounds(name, text, maximum: Int64.max)
      }
      return number
    case .text: return nil
    }
  }

  /// A decimal number, possibly with fraction and exponent; nil for others, such as `0x1` and `nan`.
  static func decimal(_ text: String) -> Double? {
    let marks = "+-.eE".utf8
    guard text.utf8.allSatisfy({ isDigit($0) || marks.contains($0) }) else { return nil }
    return Double(text)
  }

  private static func outOfBounds(_ name: String, _ text: String, maximum: Int64) -> CommandError {
    let message = "\(name) out of bounds: \(quoted(text)); at most \(maximum) either way"
    return CommandError(status: .failed, message: message)
  }

  /// The seconds in a duration such as `90`, `45s`, `30m`, `1h30m` or `2d`; nil for anything else.
  static func seconds(_ text: String) -> UInt64? {
    let units: [UInt8: UInt64] = [
      UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600,
      UInt8(ascii: "d"): 86400,
    ]
    let limit: UInt64 = 1 << 40
    var total: UInt64 = 0
    var number: UInt64?
    for byte in text.utf8 {
      if isDigit(byte) {
        number = (number ?? 0) * 10 + UInt64(byte - UInt8(ascii: "0"))
      } else if let unit = units[byte], let amount = number {
        total += amount * unit
        number = nil
      } else {
        return nil
      }
      guard total <= limit, number ?? 0 <= limit else { return nil }
    }
    if let rest = number {
      guard total == 0 else { return nil }
      total = rest
    }
    return total > 0 ? total : nil
  }
}

/// The shortest decimal form: no fraction for a whole number.
func decimal(_ value: Double) -> String {
  if let whole = Int64(exactly: value), value.magnitude < 0x1p53 { return String(whole) }
  return value.description
}

/// Lower-case hexadecimal digits, padded with zeros.
func hexadecimal(_ value: UInt32, width: Int) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

func isDigit(_ byte: UInt8) -> Bool {
  byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}

// SPDX-License-Identifier: MIT
import BadgeCore

/// Reads numbers of a command line.
enum Numbers {
  /// A whole number, with or without a sign.
  ///
  /// - Throws: ``CommandError``: wrong usage for what is no number, failed for one out of bounds.
  static func whole(_ text: String, verb: any Verb.Type) throws(CommandError) -> Int64 {
    switch Count.read(text, allowsSign: true) {
    case .count(let number): return number
    case .outOfBounds: throw outOfBounds(text)
    case .text:
      throw .usage("not a whole number", text, next: "see 'badgectl help \(verb.name)'")
    }
  }

  static func outOfBounds(_ text: String) -> CommandError {
    let message = "count out of bounds: \(quoted(text)); at most \(Count.maximum) either way"
    return CommandError(status: .failed, message: message)
  }

  /// Seconds in a duration such as `90`, `45s`, `30m`, `1h30m` or `2d`; nil for anything else.
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

// SPDX-License-Identifier: MIT

/// The grammars of the D-Bus specification, sections "Valid Names" and "Valid Object Paths".
enum NameGrammar {
  /// Bus, interface, member and error names are at most this many bytes long.
  static let maximumLength = 255

  static func isObjectPath(_ bytes: Span<UInt8>) -> Bool {
    guard !bytes.isEmpty, bytes[0] == UInt8(ascii: "/") else { return false }
    if bytes.count == 1 { return true }
    var previousWasSlash = true
    for index in 1..<bytes.count {
      if bytes[index] == UInt8(ascii: "/") {
        if previousWasSlash { return false }
        previousWasSlash = true
      } else {
        guard isElementByte(bytes[index]) else { return false }
        previousWasSlash = false
      }
    }
    return !previousWasSlash
  }

  static func isInterfaceName(_ bytes: Span<UInt8>) -> Bool {
    isDotted(bytes, from: 0, allowsHyphen: false, allowsLeadingDigit: false)
  }

  static func isMemberName(_ bytes: Span<UInt8>) -> Bool {
    guard !bytes.isEmpty, bytes.count <= maximumLength, !isDigit(bytes[0]) else { return false }
    for index in bytes.indices where !isElementByte(bytes[index]) { return false }
    return true
  }

  static func isBusName(_ bytes: Span<UInt8>) -> Bool {
    guard !bytes.isEmpty, bytes[0] == UInt8(ascii: ":") else {
      return isDotted(bytes, from: 0, allowsHyphen: true, allowsLeadingDigit: false)
    }
    return isDotted(bytes, from: 1, allowsHyphen: true, allowsLeadingDigit: true)
  }

  /// Two or more elements with full stops between them, none of them empty.
  private static func isDotted(
    _ bytes: Span<UInt8>,
    from start: Int,
    allowsHyphen: Bool,
    allowsLeadingDigit: Bool
  ) -> Bool {
    guard bytes.count <= maximumLength else { return false }
    var elements = 1
    var isStart = true
    for index in start..<bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: ".") {
        if isStart { return false }
        elements += 1
        isStart = true
        continue
      }
      guard isElementByte(byte) || (allowsHyphen && byte == UInt8(ascii: "-")) else { return false }
      if isStart && isDigit(byte) && !allowsLeadingDigit { return false }
      isStart = false
    }
    return !isStart && elements >= 2
  }

  @inline(__always)
  private static func isElementByte(_ byte: UInt8) -> Bool {
    // A bit for each of the ASCII digits, and for each letter and the underscore.
    let bits: UInt64 = byte < 64 ? 0x03ff_0000_0000_0000 : byte < 128 ? 0x07ff_fffe_87ff_fffe : 0
    return (bits >> UInt64(byte & 63)) & 1 == 1
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    let lowered = byte | 0x20
    return isDigit(byte) || (lowered >= UInt8(ascii: "a") && lowered <= UInt8(ascii: "z"))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}

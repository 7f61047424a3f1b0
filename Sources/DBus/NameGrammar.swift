// SPDX-License-Identifier: MIT

/// The grammars of the D-Bus specification, sections "Valid Names" and "Valid Object Paths".
enum NameGrammar {
  /// Bus, interface, member and error names are at most this many bytes long.
  static let maximumLength = 255

  static func isObjectPath(_ bytes: String.UTF8View) -> Bool {
    guard bytes.first == UInt8(ascii: "/") else { return false }
    if bytes.count == 1 { return true }
    var previousWasSlash = false
    for byte in bytes {
      if byte == UInt8(ascii: "/") {
        if previousWasSlash { return false }
        previousWasSlash = true
      } else {
        guard isElementByte(byte) else { return false }
        previousWasSlash = false
      }
    }
    return !previousWasSlash
  }

  static func isInterfaceName(_ bytes: String.UTF8View) -> Bool {
    isDotted(bytes, allowsHyphen: false, allowsLeadingDigit: false)
  }

  static func isMemberName(_ bytes: String.UTF8View) -> Bool {
    guard let first = bytes.first, bytes.count <= maximumLength, !isDigit(first) else {
      return false
    }
    return bytes.allSatisfy(isElementByte)
  }

  static func isBusName(_ bytes: String.UTF8View) -> Bool {
    guard bytes.first == UInt8(ascii: ":") else {
      return isDotted(bytes, allowsHyphen: true, allowsLeadingDigit: false)
    }
    guard bytes.count <= maximumLength else { return false }
    return isDotted(bytes.dropFirst(), allowsHyphen: true, allowsLeadingDigit: true)
  }

  /// Two or more elements with full stops between them, none of them empty.
  private static func isDotted(
    _ bytes: some Collection<UInt8>,
    allowsHyphen: Bool,
    allowsLeadingDigit: Bool
  ) -> Bool {
    var length = 0
    var elements = 1
    var isStart = true
    for byte in bytes {
      length += 1
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
    return !isStart && elements >= 2 && length <= maximumLength
  }

  private static func isElementByte(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == UInt8(ascii: "_")
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    let lowered = byte | 0x20
    return isDigit(byte) || (lowered >= UInt8(ascii: "a") && lowered <= UInt8(ascii: "z"))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}

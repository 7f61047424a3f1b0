// SPDX-License-Identifier: MIT

extension ObjectPath {
  /// The root of every tree of objects, `/`.
  public static let root = ObjectPath(constant: "/")

  /// What follows the last slash; nil for the root.
  public var lastElement: String? {
    guard self != .root else { return nil }
    return elements.last
  }

  /// The elements between the slashes; none for the root.
  public var elements: [String] {
    rawValue.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The path one element shorter; nil for the root.
  public var parent: ObjectPath? {
    guard self != .root, let slash = rawValue.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return nil
    }
    let text = String(rawValue[..<slash])
    return text.isEmpty ? .root : ObjectPath(validated: text)
  }

  /// Whether the other path lies below this one, at any depth.
  public func isAncestor(of other: ObjectPath) -> Bool {
    if self == .root { return other != .root }
    guard other.rawValue.utf8.starts(with: rawValue.utf8) else { return false }
    return other.rawValue.utf8.dropFirst(rawValue.utf8.count).first == UInt8(ascii: "/")
  }

  /// The path one element longer; nil where the element is empty or holds another byte than
  /// `A-Z a-z 0-9 _`.
  public func appending(_ element: String) -> ObjectPath? {
    guard !element.utf8.contains(UInt8(ascii: "/")) else { return nil }
    return ObjectPath(self == .root ? "/" + element : rawValue + "/" + element)
  }

  /// A text of any bytes as an element of a path: each byte outside `A-Z a-z 0-9` becomes `_xx`
  /// in lower-case hexadecimal, and an empty text a lone underscore.
  public static func escapedElement(_ text: String) -> String {
    if text.isEmpty { return "_" }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3)
    for byte in text.utf8 {
      if NameGrammar.isAlphanumeric(byte) {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "_"))
        bytes.append(hexadecimal(byte >> 4))
        bytes.append(hexadecimal(byte & 15))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text an escaped element stands for; nil where ``escapedElement(_:)`` would never have
  /// written it, so that each text has exactly one path.
  public static func unescapedElement(_ element: String) -> String? {
    if element == "_" { return "" }
    var bytes: [UInt8] = []
    var rest = element.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "_") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    guard let text = String(validating: bytes, as: UTF8.self), escapedElement(text) == element
    else { return nil }
    return text
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

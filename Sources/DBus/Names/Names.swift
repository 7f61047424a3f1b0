// SPDX-License-Identifier: MIT
internal import CDBus

/// A text that libdbus has found valid by one of its rules for names.
///
/// libdbus ends the process when it is given an invalid name, so there is no unchecked initializer.
/// In extensions of these types constants must be computed (`static var`), since Swift has no stored
/// static properties in generic types; keep those used often in an enum of your own.
public struct DBusName<Rule: NameRule>: Hashable, Sendable, CustomStringConvertible {
  /// The name as text, always valid.
  public let rawValue: String

  /// Checks a text from anywhere; nil where it is not such a name.
  public init?(_ rawValue: String) {
    guard Rule.isValid(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// A literal of the program's own.
  ///
  /// - Precondition: The literal is valid.
  public init(constant: StaticString) {
    let rawValue = String(describing: constant)
    precondition(Rule.isValid(rawValue), "not a valid name")
    self.rawValue = rawValue
  }

  /// A text that libdbus has validated already, as part of a message.
  init(validated rawValue: String) {
    self.rawValue = rawValue
  }

  /// The name as text.
  public var description: String { rawValue }
}

/// The rule that texts of a ``DBusName`` follow, section "Valid Names" of the D-Bus specification.
public protocol NameRule: Sendable {
  /// Whether the text follows the rule.
  static func isValid(_ text: String) -> Bool
}

/// The name of a connection: unique (`:1.7`) or well known (`org.freedesktop.DBus`).
public typealias BusName = DBusName<BusNameRule>
/// The name of an interface, such as `org.freedesktop.DBus.Properties`.
public typealias InterfaceName = DBusName<InterfaceNameRule>
/// The name of a method, signal or property, such as `GetAll`.
public typealias MemberName = DBusName<MemberNameRule>
/// The name of an error, such as `org.freedesktop.DBus.Error.Failed`.
public typealias ErrorName = DBusName<ErrorNameRule>
/// The path of an object, such as `/org/freedesktop/DBus`.
public typealias ObjectPath = DBusName<ObjectPathRule>

/// The rule for bus names, unique and well known.
public enum BusNameRule: NameRule {
  /// Asks `dbus_validate_bus_name`.
  public static func isValid(_ text: String) -> Bool {
    unsafe text.isValid { unsafe dbus_validate_bus_name($0, nil) }
  }
}

/// The rule for interface names.
public enum InterfaceNameRule: NameRule {
  /// Asks `dbus_validate_interface`.
  public static func isValid(_ text: String) -> Bool {
    unsafe text.isValid { unsafe dbus_validate_interface($0, nil) }
  }
}

/// The rule for names of methods, signals and properties.
public enum MemberNameRule: NameRule {
  /// Asks `dbus_validate_member`.
  public static func isValid(_ text: String) -> Bool {
    unsafe text.isValid { unsafe dbus_validate_member($0, nil) }
  }
}

/// The rule for error names.
public enum ErrorNameRule: NameRule {
  /// Asks `dbus_validate_error_name`.
  public static func isValid(_ text: String) -> Bool {
    unsafe text.isValid { unsafe dbus_validate_error_name($0, nil) }
  }
}

/// The rule for object paths.
public enum ObjectPathRule: NameRule {
  /// Asks `dbus_validate_path`.
  public static func isValid(_ text: String) -> Bool {
    unsafe text.isValid { unsafe dbus_validate_path($0, nil) }
  }
}

extension String {
  /// Whether a validator of libdbus's accepts the text, which must not be cut at a NUL.
  func isValid(by validator: (UnsafePointer<CChar>) -> dbus_bool_t) -> Bool {
    unsafe !utf8.contains(0) && withCString { unsafe validator($0) != 0 }
  }

  /// Whether a C string is this text, which has no NUL in it.
  func equals(_ other: UnsafePointer<CChar>?) -> Bool {
    guard let other = unsafe other else { return false }
    let bytes = utf8.span
    for index in bytes.indices where unsafe UInt8(bitPattern: other[index]) != bytes[index] {
      return false
    }
    return unsafe other[bytes.count] == 0
  }
}

extension BusName {
  /// The bus itself, `org.freedesktop.DBus`.
  public static var bus: BusName { BusDriver.name }

  /// Whether the bus assigned this name to one connection for its lifetime, rather than on request.
  public var isUnique: Bool { rawValue.utf8.first == UInt8(ascii: ":") }
}

extension ObjectPath {
  /// The root of every tree of objects, `/`.
  public static var root: ObjectPath { ObjectPath(validated: "/") }

  /// What follows the last slash; nil for the root.
  public var lastElement: String? { elements.last }

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

  /// The path one element longer; nil where the element is empty or has a byte other than
  /// `A-Z a-z 0-9 _`.
  public func appending(_ element: String) -> ObjectPath? {
    guard !element.utf8.contains(UInt8(ascii: "/")) else { return nil }
    return ObjectPath(self == .root ? "/" + element : rawValue + "/" + element)
  }

  /// Any text as an element of a path: each byte outside `A-Z a-z 0-9` becomes `_xx` in lower-case
  /// hexadecimal, and an empty text a single underscore.
  public static func escapedElement(_ text: String) -> String {
    if text.isEmpty { return "_" }
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        bytes.append(byte)
      default:
        bytes += [UInt8(ascii: "_"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text that an escaped element stands for; nil where ``escapedElement(_:)`` would never have
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
      guard let high = rest.popFirst().flatMap(hexadecimalDigit),
        let low = rest.popFirst().flatMap(hexadecimalDigit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    guard let text = String(validating: bytes, as: UTF8.self), escapedElement(text) == element
    else { return nil }
    return text
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

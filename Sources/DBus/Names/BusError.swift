// SPDX-License-Identifier: MIT
internal import CDBus

/// An error of a call or of the bus: a name, and a text for people.
///
/// A remote error keeps its name up to whoever handles it.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name, by which programs tell errors apart.
  public var name: ErrorName
  /// The text for people; may be empty.
  public var message: String

  /// An error of any name.
  public init(name: ErrorName, message: String) {
    self.name = name
    self.message = message
  }

  /// The name, a colon and the text.
  public var description: String { "\(name): \(message)" }
}

extension ErrorName {
  private static func standard(_ name: String) -> ErrorName {
    ErrorName(validated: "org.freedesktop.DBus.Error." + name)
  }

  /// `org.freedesktop.DBus.Error.AccessDenied`.
  public static var accessDenied: ErrorName { standard("AccessDenied") }
  /// `org.freedesktop.DBus.Error.BadAddress`.
  public static var badAddress: ErrorName { standard("BadAddress") }
  /// `org.freedesktop.DBus.Error.Disconnected`.
  public static var disconnected: ErrorName { standard("Disconnected") }
  /// `org.freedesktop.DBus.Error.Failed`.
  public static var failed: ErrorName { standard("Failed") }
  /// `org.freedesktop.DBus.Error.InconsistentMessage`.
  public static var inconsistentMessage: ErrorName { standard("InconsistentMessage") }
  /// `org.freedesktop.DBus.Error.InvalidArgs`.
  public static var invalidArguments: ErrorName { standard("InvalidArgs") }
  /// `org.freedesktop.DBus.Error.LimitsExceeded`.
  public static var limitsExceeded: ErrorName { standard("LimitsExceeded") }
  /// `org.freedesktop.DBus.Error.MatchRuleInvalid`.
  public static var matchRuleInvalid: ErrorName { standard("MatchRuleInvalid") }
  /// `org.freedesktop.DBus.Error.NameHasNoOwner`.
  public static var nameHasNoOwner: ErrorName { standard("NameHasNoOwner") }
  /// `org.freedesktop.DBus.Error.NoMemory`.
  public static var noMemory: ErrorName { standard("NoMemory") }
  /// `org.freedesktop.DBus.Error.NoReply`.
  public static var noReply: ErrorName { standard("NoReply") }
  /// `org.freedesktop.DBus.Error.NotSupported`.
  public static var notSupported: ErrorName { standard("NotSupported") }
  /// `org.freedesktop.DBus.Error.PropertyReadOnly`.
  public static var propertyReadOnly: ErrorName { standard("PropertyReadOnly") }
  /// `org.freedesktop.DBus.Error.Timeout`.
  public static var timeout: ErrorName { standard("Timeout") }
  /// `org.freedesktop.DBus.Error.UnknownInterface`.
  public static var unknownInterface: ErrorName { standard("UnknownInterface") }
  /// `org.freedesktop.DBus.Error.UnknownMethod`.
  public static var unknownMethod: ErrorName { standard("UnknownMethod") }
  /// `org.freedesktop.DBus.Error.UnknownObject`.
  public static var unknownObject: ErrorName { standard("UnknownObject") }
  /// `org.freedesktop.DBus.Error.UnknownProperty`.
  public static var unknownProperty: ErrorName { standard("UnknownProperty") }
}

extension BusError {
  /// A failure without a more specific name.
  public static func failed(_ message: String) -> BusError {
    BusError(name: .failed, message: message)
  }

  /// A limit was reached.
  public static func limitsExceeded(_ message: String) -> BusError {
    BusError(name: .limitsExceeded, message: message)
  }

  /// The connection to the bus is closed.
  public static func disconnected(_ message: String) -> BusError {
    BusError(name: .disconnected, message: message)
  }

  /// The arguments of a call are not what it takes.
  public static func invalidArguments(_ message: String) -> BusError {
    BusError(name: .invalidArguments, message: message)
  }

  /// The bus's policy forbids it.
  public static func accessDenied(_ message: String) -> BusError {
    BusError(name: .accessDenied, message: message)
  }

  static func unknownObject(_ message: String) -> BusError {
    BusError(name: .unknownObject, message: message)
  }

  static func unknownMethod(_ message: String) -> BusError {
    BusError(name: .unknownMethod, message: message)
  }

  static func inconsistentMessage(_ message: String) -> BusError {
    BusError(name: .inconsistentMessage, message: message)
  }

  static var noMemory: BusError {
    BusError(name: .noMemory, message: "libdbus is out of memory")
  }

  /// Calls a function of libdbus that returns nil and sets the error when it fails.
  @safe
  static func check<Result>(
    _ body: (UnsafeMutablePointer<DBusError>) -> Result?
  ) throws(BusError) -> Result {
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    defer { unsafe dbus_error_free(&error) }
    let result = unsafe body(&error)
    if unsafe dbus_error_is_set(&error) != 0 {
      let name = unsafe error.name.map { unsafe String(cString: $0) } ?? ""
      let message = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
      throw BusError(name: ErrorName(name) ?? .failed, message: message)
    }
    guard let result else { throw noMemory }
    return result
  }
}

/// A peer's text as an error repeats it: in quotes, shortened, on one line.
func quoted(_ text: String) -> String {
  var result = "'"
  for (index, scalar) in text.unicodeScalars.enumerated() {
    guard index < ConnectionLimits.quotedCharacters else { return result + "…'" }
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029:
      result += "\\u{" + String(scalar.value, radix: 16) + "}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "'"
}

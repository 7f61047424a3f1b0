// SPDX-License-Identifier: MIT

/// What went wrong in a call or on the bus: the error's name, and a text for people.
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

extension BusError {
  /// Something failed that has no name of its own.
  public static func failed(_ message: String) -> BusError {
    BusError(name: .failed, message: message)
  }

  /// There is not enough memory.
  public static func noMemory(_ message: String) -> BusError {
    BusError(name: .noMemory, message: message)
  }

  /// Nobody owns the name, and nothing can be started for it.
  public static func serviceUnknown(_ message: String) -> BusError {
    BusError(name: .serviceUnknown, message: message)
  }

  /// Nobody owns the name.
  public static func nameHasNoOwner(_ message: String) -> BusError {
    BusError(name: .nameHasNoOwner, message: message)
  }

  /// No reply came in time.
  public static func noReply(_ message: String) -> BusError {
    BusError(name: .noReply, message: message)
  }

  /// The address of a bus is none.
  public static func badAddress(_ message: String) -> BusError {
    BusError(name: .badAddress, message: message)
  }

  /// No bus answers at the address.
  public static func noServer(_ message: String) -> BusError {
    BusError(name: .noServer, message: message)
  }

  /// The bus or this program cannot do that.
  public static func notSupported(_ message: String) -> BusError {
    BusError(name: .notSupported, message: message)
  }

  /// A limit was reached.
  public static func limitsExceeded(_ message: String) -> BusError {
    BusError(name: .limitsExceeded, message: message)
  }

  /// The bus's policy forbids it.
  public static func accessDenied(_ message: String) -> BusError {
    BusError(name: .accessDenied, message: message)
  }

  /// The connection to the bus is gone.
  public static func disconnected(_ message: String) -> BusError {
    BusError(name: .disconnected, message: message)
  }

  /// The arguments of a call are not what it takes.
  public static func invalidArguments(_ message: String) -> BusError {
    BusError(name: .invalidArguments, message: message)
  }

  /// The object has no such method.
  public static func unknownMethod(_ message: String) -> BusError {
    BusError(name: .unknownMethod, message: message)
  }

  /// There is no such object.
  public static func unknownObject(_ message: String) -> BusError {
    BusError(name: .unknownObject, message: message)
  }

  /// The object has no such interface.
  public static func unknownInterface(_ message: String) -> BusError {
    BusError(name: .unknownInterface, message: message)
  }

  /// The interface has no such property.
  public static func unknownProperty(_ message: String) -> BusError {
    BusError(name: .unknownProperty, message: message)
  }

  /// The property cannot be set.
  public static func propertyReadOnly(_ message: String) -> BusError {
    BusError(name: .propertyReadOnly, message: message)
  }

  /// The bytes are not a message.
  public static func inconsistentMessage(_ message: String) -> BusError {
    BusError(name: .inconsistentMessage, message: message)
  }
}

// SPDX-License-Identifier: MIT

/// The name of an error, such as `org.freedesktop.DBus.Error.Failed`.
///
/// Source: D-Bus specification, "Error names": the rule is that of interface names.
public struct ErrorName: Hashable, Sendable, CustomStringConvertible {
  private let name: InterfaceName

  /// Takes a text from anywhere; nil where it is not an error name.
  public init?(_ rawValue: String) {
    guard let name = InterfaceName(rawValue) else { return nil }
    self.name = name
  }

  /// Takes a literal of the program's own.
  ///
  /// - Precondition: The literal is valid.
  public init(constant: StaticString) {
    name = InterfaceName(constant: constant)
  }

  /// Takes a text that was found valid where it came in.
  init(validated rawValue: String) {
    name = InterfaceName(validated: rawValue)
  }

  /// The name as text, always valid.
  public var rawValue: String { name.rawValue }

  /// The name as text.
  public var description: String { rawValue }
}

extension ErrorName {
  private static func standard(_ name: StaticString) -> ErrorName {
    ErrorName(validated: "org.freedesktop.DBus.Error.\(name)")
  }

  /// `org.freedesktop.DBus.Error.Failed`.
  public static let failed = standard("Failed")
  /// `org.freedesktop.DBus.Error.NoMemory`.
  public static let noMemory = standard("NoMemory")
  /// `org.freedesktop.DBus.Error.ServiceUnknown`.
  public static let serviceUnknown = standard("ServiceUnknown")
  /// `org.freedesktop.DBus.Error.NameHasNoOwner`.
  public static let nameHasNoOwner = standard("NameHasNoOwner")
  /// `org.freedesktop.DBus.Error.NoReply`.
  public static let noReply = standard("NoReply")
  /// `org.freedesktop.DBus.Error.IOError`.
  public static let ioError = standard("IOError")
  /// `org.freedesktop.DBus.Error.BadAddress`.
  public static let badAddress = standard("BadAddress")
  /// `org.freedesktop.DBus.Error.NotSupported`.
  public static let notSupported = standard("NotSupported")
  /// `org.freedesktop.DBus.Error.LimitsExceeded`.
  public static let limitsExceeded = standard("LimitsExceeded")
  /// `org.freedesktop.DBus.Error.AccessDenied`.
  public static let accessDenied = standard("AccessDenied")
  /// `org.freedesktop.DBus.Error.AuthFailed`.
  public static let authFailed = standard("AuthFailed")
  /// `org.freedesktop.DBus.Error.NoServer`.
  public static let noServer = standard("NoServer")
  /// `org.freedesktop.DBus.Error.Timeout`.
  public static let timeout = standard("Timeout")
  /// `org.freedesktop.DBus.Error.TimedOut`.
  public static let timedOut = standard("TimedOut")
  /// `org.freedesktop.DBus.Error.Disconnected`.
  public static let disconnected = standard("Disconnected")
  /// `org.freedesktop.DBus.Error.InvalidArgs`.
  public static let invalidArguments = standard("InvalidArgs")
  /// `org.freedesktop.DBus.Error.UnknownMethod`.
  public static let unknownMethod = standard("UnknownMethod")
  /// `org.freedesktop.DBus.Error.UnknownObject`.
  public static let unknownObject = standard("UnknownObject")
  /// `org.freedesktop.DBus.Error.UnknownInterface`.
  public static let unknownInterface = standard("UnknownInterface")
  /// `org.freedesktop.DBus.Error.UnknownProperty`.
  public static let unknownProperty = standard("UnknownProperty")
  /// `org.freedesktop.DBus.Error.PropertyReadOnly`.
  public static let propertyReadOnly = standard("PropertyReadOnly")
  /// `org.freedesktop.DBus.Error.MatchRuleNotFound`.
  public static let matchRuleNotFound = standard("MatchRuleNotFound")
  /// `org.freedesktop.DBus.Error.MatchRuleInvalid`.
  public static let matchRuleInvalid = standard("MatchRuleInvalid")
  /// `org.freedesktop.DBus.Error.InvalidSignature`.
  public static let invalidSignature = standard("InvalidSignature")
  /// `org.freedesktop.DBus.Error.InconsistentMessage`.
  public static let inconsistentMessage = standard("InconsistentMessage")
  /// `org.freedesktop.DBus.Error.FileNotFound`.
  public static let fileNotFound = standard("FileNotFound")
}

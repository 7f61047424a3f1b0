// SPDX-License-Identifier: MIT

/// Whom a call is for, and what it calls.
public struct MethodCall: Hashable, Sendable {
  /// The connection that is called.
  public var destination: BusName
  /// The object.
  public var path: ObjectPath
  /// The interface; where it is left out, the callee chooses.
  public var interface: InterfaceName?
  /// The method.
  public var member: MemberName
  /// Whether the bus may start a service for the destination.
  public var autoStart: Bool

  /// Whom a call is for, and what it calls.
  public init(
    destination: BusName,
    path: ObjectPath,
    interface: InterfaceName?,
    member: MemberName,
    autoStart: Bool = true
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.autoStart = autoStart
  }

  /// A method of the bus itself, `org.freedesktop.DBus`.
  public static func bus(_ member: MemberName) -> MethodCall {
    MethodCall(
      destination: .bus,
      path: BusDriver.path,
      interface: BusDriver.interface,
      member: member,
      autoStart: false
    )
  }

  /// What messages of errors say of the call.
  var label: String { "\(member) of \(destination)" }
}

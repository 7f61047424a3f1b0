// SPDX-License-Identifier: MIT

/// The names of the bus itself, section "Message Bus Messages" of the D-Bus specification.
enum BusDriver {
  static let path = ObjectPath(constant: "/org/freedesktop/DBus")
  static let interface = InterfaceName(constant: "org.freedesktop.DBus")
  static let requestName = MemberName(constant: "RequestName")
  static let releaseName = MemberName(constant: "ReleaseName")
  static let nameOwner = MemberName(constant: "GetNameOwner")
  static let nameHasOwner = MemberName(constant: "NameHasOwner")
  static let queuedOwners = MemberName(constant: "ListQueuedOwners")
  static let processID = MemberName(constant: "GetConnectionUnixProcessID")
  static let identity = MemberName(constant: "GetId")
  static let addMatch = MemberName(constant: "AddMatch")
  static let removeMatch = MemberName(constant: "RemoveMatch")
  static let nameOwnerChanged = MemberName(constant: "NameOwnerChanged")
  static let peerInterface = InterfaceName(constant: "org.freedesktop.DBus.Peer")
  static let ping = MemberName(constant: "Ping")
  /// The interface of the one signal that libdbus makes up itself; no peer can send it.
  static let localInterface = InterfaceName(constant: "org.freedesktop.DBus.Local")
  static let disconnected = MemberName(constant: "Disconnected")
}

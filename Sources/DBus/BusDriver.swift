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
  /// What libraries tell their own program by; no message on a bus may have them.
  static let localInterface = InterfaceName(constant: "org.freedesktop.DBus.Local")
  static let localPath = ObjectPath(constant: "/org/freedesktop/DBus/Local")
  static let hello = MemberName(constant: "Hello")
}

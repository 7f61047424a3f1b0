// SPDX-License-Identifier: MIT
import DBus

/// The names of the daemon on the bus.
enum BadgeNames {
  static let service = BusName(constant: "org.badged.Badges1")
  static let manager = ObjectPath(constant: "/org/badged/Badges1")
  static let interface = InterfaceName(constant: "org.badged.Badges1")
  static let properties = InterfaceName(constant: "org.freedesktop.DBus.Properties")
  static let busInterface = InterfaceName(constant: "org.freedesktop.DBus")

  static let changed = MemberName(constant: "Changed")
  static let removed = MemberName(constant: "Removed")
  static let nameOwnerChanged = MemberName(constant: "NameOwnerChanged")
}

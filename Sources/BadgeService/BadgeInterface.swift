// SPDX-License-Identifier: MIT
internal import BadgeBus
internal import BadgeCore
internal import DBus

extension InterfaceName {
  /// The manager's own interface.
  static var badges: InterfaceName { InterfaceName(constant: "org.badged.Badges1") }
  static var objectManager: InterfaceName {
    InterfaceName(constant: "org.freedesktop.DBus.ObjectManager")
  }
}

extension ObjectPath {
  static var manager: ObjectPath { ObjectPath(constant: "/org/badged/Badges1") }
  /// The parent of all badge objects.
  static var badgeObjects: ObjectPath { ObjectPath(constant: "/org/badged/Badges1/badge") }
}

extension MemberName {
  static var changed: MemberName { MemberName(constant: "Changed") }
  static var removed: MemberName { MemberName(constant: "Removed") }
  static var interfacesAdded: MemberName { MemberName(constant: "InterfacesAdded") }
  static var interfacesRemoved: MemberName { MemberName(constant: "InterfacesRemoved") }
}

extension BusError {
  /// An error of the domain under its name on the bus.
  init(_ error: BadgeError) {
    let name: ErrorName =
      switch error {
      case .noSuchBadge: .noSuchBadge
      case .invalidID: .invalidID
      case .invalidValue, .invalidKey: .invalidValue
      case .notDismissable: .notDismissable
      case .limitReached: .limitsExceeded
      }
    self.init(name: name, message: error.message)
  }
}

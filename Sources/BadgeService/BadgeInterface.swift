// SPDX-License-Identifier: MIT
internal import BadgeBus
internal import BadgeCore
internal import DBus

extension InterfaceName {
  /// The manager's own interface.
  static let badges = InterfaceName(constant: "org.badged.Badges1")
  static let objectManager = InterfaceName(constant: "org.freedesktop.DBus.ObjectManager")
}

extension ObjectPath {
  static let manager = ObjectPath(constant: "/org/badged/Badges1")
  /// The parent of all badge objects.
  static let badgeObjects = ObjectPath(constant: "/org/badged/Badges1/badge")
}

extension MemberName {
  static let changed = MemberName(constant: "Changed")
  static let removed = MemberName(constant: "Removed")
  static let interfacesAdded = MemberName(constant: "InterfacesAdded")
  static let interfacesRemoved = MemberName(constant: "InterfacesRemoved")
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

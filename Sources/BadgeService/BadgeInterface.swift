// SPDX-License-Identifier: MIT
internal import BadgeBus
internal import BadgeCore
internal import DBus

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

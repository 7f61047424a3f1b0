// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import DBus

extension BusError {
  /// A refusal of the domain, by the name it has on the bus.
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

extension ErrorName {
  /// Get, Remove, Dismiss or Decrement of a badge that is not there.
  static let noSuchBadge = ErrorName(constant: "org.badged.Badges1.Error.NoSuchBadge")
  /// A text that is no id.
  static let invalidID = ErrorName(constant: "org.badged.Badges1.Error.InvalidId")
  /// A key or property that does not take the value.
  static let invalidValue = ErrorName(constant: "org.badged.Badges1.Error.InvalidValue")
  /// Dismiss of a badge that is to stay.
  static let notDismissable = ErrorName(constant: "org.badged.Badges1.Error.NotDismissable")
}

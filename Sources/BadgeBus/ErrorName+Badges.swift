// SPDX-License-Identifier: MIT
package import DBus

extension ErrorName {
  /// Get, Remove, Dismiss or Decrement of a badge that is not there.
  package static var noSuchBadge: ErrorName {
    ErrorName(constant: "org.badged.Badges1.Error.NoSuchBadge")
  }
  /// A text that is no id.
  package static var invalidID: ErrorName {
    ErrorName(constant: "org.badged.Badges1.Error.InvalidId")
  }
  /// A key or property that does not take the value.
  package static var invalidValue: ErrorName {
    ErrorName(constant: "org.badged.Badges1.Error.InvalidValue")
  }
  /// Dismiss of a badge that is to stay.
  package static var notDismissable: ErrorName {
    ErrorName(constant: "org.badged.Badges1.Error.NotDismissable")
  }
}

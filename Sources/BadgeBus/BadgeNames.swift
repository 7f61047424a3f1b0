// SPDX-License-Identifier: MIT
package import DBus

/// Every name of the interface org.badged.Badges1, for the daemon and its clients.
package enum BadgeNames {
  /// The well-known name, and the name of the manager's interface.
  package static let root: StaticString = "org.badged.Badges1"

  package static let service = BusName(constant: root)
  package static let interface = InterfaceName(constant: root)
  /// The interface of one badge's object.
  package static let badgeRoot: StaticString = "org.badged.Badges1.Badge"

  package static let manager = ObjectPath(constant: "/org/badged/Badges1")
  /// The parent of all badge objects.
  package static let badgeObjects = ObjectPath(constant: "/org/badged/Badges1/badge")

  package static let changed = MemberName(constant: Signal.changed)
  package static let removed = MemberName(constant: Signal.removed)

  /// The manager's signals.
  package enum Signal {
    package static let changed: StaticString = "Changed"
    package static let removed: StaticString = "Removed"
  }

  /// The manager's methods.
  package enum Method {
    package static let set: StaticString = "Set"
    package static let setText: StaticString = "SetText"
    package static let setDot: StaticString = "SetDot"
    package static let setSource: StaticString = "SetSource"
    package static let increment: StaticString = "Increment"
    package static let incrementSource: StaticString = "IncrementSource"
    package static let decrement: StaticString = "Decrement"
    package static let decrementSource: StaticString = "DecrementSource"
    package static let update: StaticString = "Update"
    package static let setProperty: StaticString = "SetProperty"
    package static let clear: StaticString = "Clear"
    package static let remove: StaticString = "Remove"
    package static let removeAll: StaticString = "RemoveAll"
    package static let dismiss: StaticString = "Dismiss"
    package static let acknowledge: StaticString = "Acknowledge"
    package static let get: StaticString = "Get"
    package static let list: StaticString = "List"
  }

  /// The manager's properties.
  package enum Property {
    package static let version = "Version"
    package static let catalogue = "Catalogue"
    package static let started = "Started"
    package static let statePath = "StatePath"
    package static let durable = "Durable"
    package static let total = "Total"
    package static let visible = "Visible"
    package static let revision = "Revision"
    package static let animations = "Animations"
    package static let animating = "Animating"
    package static let quiet = "Quiet"
    package static let quietUntil = "QuietUntil"
  }
}

extension ErrorName {
  /// A method that needs an existing badge was called for an absent one.
  package static var noSuchBadge: ErrorName {
    ErrorName(constant: "org.badged.Badges1.Error.NoSuchBadge")
  }
  /// A string is not a valid badge id.
  package static var invalidID: ErrorName {
    ErrorName(constant: "org.badged.Badges1.Error.InvalidId")
  }
  /// A key or property does not exist or does not take the value.
  package static var invalidValue: ErrorName {
    ErrorName(constant: "org.badged.Badges1.Error.InvalidValue")
  }
  /// Dismiss was called for a badge that is not dismissable.
  package static var notDismissable: ErrorName {
    ErrorName(constant: "org.badged.Badges1.Error.NotDismissable")
  }
}

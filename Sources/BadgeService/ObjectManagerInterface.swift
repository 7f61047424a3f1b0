// SPDX-License-Identifier: MIT
internal import DBus

/// The interface org.freedesktop.DBus.ObjectManager of the manager (D-Bus specification, "Standard
/// Interfaces").
enum ObjectManagerInterface {
  static let table = Interface<BadgeObjects>(
    "org.freedesktop.DBus.ObjectManager",
    methods: [
      Method(
        "GetManagedObjects",
        outputs: [Argument("objpath_interfaces_and_properties", "a{oa{sa{sv}}}")],
        isLongRead: true
      ) { objects, _, reply in objects.appendAll(to: &reply) }
    ],
    signals: [
      Signal(
        "InterfacesAdded",
        [Argument("object_path", "o"), Argument("interfaces_and_properties", "a{sa{sv}}")]
      ),
      Signal(
        "InterfacesRemoved",
        [Argument("object_path", "o"), Argument("interfaces", "as")]
      ),
    ]
  )
}

// SPDX-License-Identifier: MIT
internal import DBus

/// The names on the bus that this layer speaks of.
enum LauncherNames {
  static let interface = InterfaceName(constant: "com.canonical.Unity.LauncherEntry")
  static let update = MemberName(constant: "Update")

  /// Whoever owns this is what libunity's apps speak to.
  static let unity = BusName(constant: "com.canonical.Unity")

  /// Plasma asks for `com.canonical.Unity` once and never waits for it, so its shell is told by its
  /// own name.
  static let docksThatDoNotQueue = ["org.kde.plasmashell"]

  /// Everybody's updates.
  static let updates = MatchRule.signal(update, of: interface)

  /// Connections and names that come, change hands and go.
  static let ownerChanges = MatchRule.signal(
    MemberName(constant: "NameOwnerChanged"),
    of: InterfaceName(constant: "org.freedesktop.DBus"),
    sender: .bus
  )
}

// SPDX-License-Identifier: MIT
import TestSupport
import Testing

/// What the daemon says of itself is what `dbus/org.badged.Badges1.xml` says of it.
@Suite(.privateBus) struct IntrospectionTests {
  let bus = PrivateBus.current

  private func introspect(_ path: String) throws -> InterfaceDocument {
    let finished = try bus.run(
      "gdbus",
      [
        "introspect", "--xml", "--address", bus.address, "--dest", "org.badged.Badges1",
        "--object-path", path,
      ]
    )
    #expect(finished.status == .success, "\(finished.errorOutput)")
    return InterfaceDocument(finished.output)
  }

  @Test("Manager and badge introspect as the installed description says, with standard interfaces")
  func describesItself() throws {
    let daemon = try bus.startDaemon()
    let set = try bus.run(
      "dbus-send",
      [
        "--bus=\(bus.address)", "--print-reply", "--dest=org.badged.Badges1", "/org/badged/Badges1",
        "org.badged.Badges1.Set", "string:a.b-1", "int64:3",
      ]
    )
    #expect(set.status == .success, "\(set.errorOutput)")
    let written = InterfaceDocument(try Project.text("dbus/org.badged.Badges1.xml"))
    let standard = ["Introspectable", "Peer", "Properties"].map { "org.freedesktop.DBus.\($0)" }

    let manager = try introspect("/org/badged/Badges1")
    let managerName = "org.badged.Badges1"
    #expect(manager.interfaces[managerName] == written.interfaces[managerName])
    #expect(
      Set(manager.interfaces.keys)
        == Set(standard + [managerName, "org.freedesktop.DBus.ObjectManager"])
    )

    let badge = try introspect("/org/badged/Badges1/badge/a_2eb_2d1")
    let badgeName = "org.badged.Badges1.Badge"
    #expect(badge.interfaces[badgeName] == written.interfaces[badgeName])
    #expect(Set(badge.interfaces.keys) == Set(standard + [badgeName]))
    daemon.terminate()
  }
}

// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

@Suite(.privateBus) struct PrivateBusTests {
  static let list = [
    "--session", "--dest=org.freedesktop.DBus", "--print-reply=literal", "/org/freedesktop/DBus",
    "org.freedesktop.DBus.ListActivatableNames",
  ]

  @Test func toolsReachTheBusAndNoServiceButItselfIsThere() throws {
    let reply = try PrivateBus.current.run("dbus-send", Self.list)
    #expect(reply.status == .success)
    #expect(
      reply.output.split(whereSeparator: \.isWhitespace) == [
        "array", "[", "org.freedesktop.DBus", "]",
      ]
    )
  }

  @Test(arguments: [1, 2]) func eachCaseHasABusOfItsOwn(number: Int) throws {
    let bus = PrivateBus.current
    #expect(bus.address.hasPrefix("unix:path=\(bus.directory.path)/"))
    #expect(try bus.run("busctl", ["--user", "list"]).output.contains("dbus-daemon") == true)
  }

  @Test func aFolderOfActivationFilesCanBeGiven() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      "[D-BUS Service]\nName=org.example.Test\nExec=/bin/false\n",
      to: "org.example.Test.service"
    )
    let bus = try PrivateBus(serviceDirectories: [directory.path])
    #expect(try bus.run("dbus-send", Self.list).output.contains("org.example.Test"))
  }

  @Test func aStoppedBusIsGone() throws {
    let bus = try PrivateBus()
    bus.stop()
    #expect(kill(bus.processID, 0) == -1)
    #expect(try bus.run("dbus-send", Self.list).status == .exited(1))
  }
}

// SPDX-License-Identifier: MIT
import DBus
import TestSupport
import Testing

/// The object server as the tools on every desktop see it.
@Suite(.privateBus) struct ObjectServerToolTests {
  let fixture: LampFixture

  init() throws {
    fixture = try LampFixture()
    fixture.bulbs = ["b": Lamp()]
  }

  private func busctl(_ arguments: String...) throws -> FinishedProcess {
    try fixture.run("busctl", ["--address=\(PrivateBus.current.address)"] + arguments)
  }

  private func gdbus(_ verb: String, _ arguments: String...) throws -> FinishedProcess {
    let target = ["--address", PrivateBus.current.address, "--dest", "org.example.Lamp"]
    return try fixture.run("gdbus", [verb] + target + arguments)
  }

  private func dbusSend(_ arguments: String...) throws -> FinishedProcess {
    let target = ["--bus=\(PrivateBus.current.address)", "--dest=org.example.Lamp"]
    return try fixture.run("dbus-send", target + ["--print-reply=literal"] + arguments)
  }

  @Test func busctlFindsTheObjectsFromTheRootDown() throws {
    let result = try busctl("tree", "--list", "org.example.Lamp")
    #expect(result.status == .success)
    #expect(
      result.output.split(separator: "\n") == [
        "/", "/org", "/org/example", "/org/example/Lamp", "/org/example/Lamp/bulb",
        "/org/example/Lamp/bulb/b",
      ]
    )
  }

  @Test func busctlReadsTheInterfaceAndItsProperties() throws {
    let result = try busctl("introspect", "org.example.Lamp", "/org/example/Lamp")
    let lines = result.output.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(result.status == .success)
    for line in [
      "org.example.Lamp1 interface - - -",
      ".Break method - s deprecated",
      ".Dim method xa{sv} xas -",
      ".Switch method b - -",
      ".Brightness property x 50 emits-invalidation",
      ".Calls property x 0 -",
      ".Limits property (xx) - const",
      ".On property b false emits-change writable",
      ".Blown signal t - -",
      ".GetMachineId method - s -",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test func busctlCallsAndSets() throws {
    let lamp = ["org.example.Lamp", "/org/example/Lamp", "org.example.Lamp1"]
    let dimmed = try busctl(
      "call",
      lamp[0],
      lamp[1],
      lamp[2],
      "Dim",
      "xa{sv}",
      "8",
      "1",
      "k",
      "s",
      "v"
    )
    #expect(dimmed.output == "xas 42 1 \"k\"\n")
    #expect(
      try busctl("set-property", lamp[0], lamp[1], lamp[2], "On", "b", "true").status == .success
    )
    #expect(try busctl("get-property", lamp[0], lamp[1], lamp[2], "On").output == "b true\n")
    let wrong = try busctl("call", lamp[0], lamp[1], lamp[2], "Switch", "s", "on")
    #expect(wrong.status != .success)
    #expect(wrong.errorOutput.contains("Switch of org.example.Lamp1 takes (b), not (s)"))
  }

  @Test func gdbusIntrospectsAndCalls() throws {
    let tree = try gdbus("introspect", "--object-path", "/", "--recurse")
    #expect(tree.status == .success)
    #expect(tree.output.contains("node /org/example/Lamp/bulb/b {"))
    let called = try gdbus(
      "call",
      "--object-path",
      "/org/example/Lamp",
      "--method",
      "org.example.Lamp1.Dim",
      "8",
      "{}"
    )
    #expect(called.output == "(int64 42, @as [])\n")
    let refused = try gdbus(
      "call",
      "--object-path",
      "/org/example/Lamp",
      "--method",
      "org.freedesktop.DBus.Properties.Set",
      "org.example.Lamp1",
      "Brightness",
      "<int64 5>"
    )
    #expect(refused.status != .success)
    #expect(
      refused.errorOutput.contains(
        "org.freedesktop.DBus.Error.PropertyReadOnly: Brightness of org.example.Lamp1 can't be set"
      )
    )
  }

  @Test func dbusSendCallsWithAndWithoutAnInterface() throws {
    let read = try dbusSend(
      "/org/example/Lamp",
      "org.freedesktop.DBus.Properties.Get",
      "string:org.example.Lamp1",
      "string:Brightness"
    )
    #expect(read.output.split(separator: " ").last == "50\n")
    #expect(
      try dbusSend("/org/example/Lamp", "org.example.Lamp1.Switch", "boolean:true").status
        == .success
    )
    #expect(fixture.lamp.isOn)
    let unknown = try dbusSend("/org/example", "org.example.Lamp1.Switch", "boolean:true")
    #expect(unknown.status == .exited(1))
    #expect(unknown.errorOutput.contains("UnknownInterface"))
    // Without --print-reply it wants none, and is told that all is well.
    let quiet = try fixture.run(
      "dbus-send",
      [
        "--bus=\(PrivateBus.current.address)", "--dest=org.example.Lamp", "--type=method_call",
        "/org/example/Lamp", "org.example.Lamp1.Switch", "boolean:false",
      ]
    )
    #expect(quiet.status == .success)
    #expect(try fixture.loop.run { !fixture.lamp.isOn })
  }
}

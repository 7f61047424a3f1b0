// SPDX-License-Identifier: MIT
import TestSupport
import Testing

/// The badge objects as other people's object managers see them.
@Suite(.privateBus) struct PanelObjectTests {
  private let stage = CommandStage()

  private func start(_ tool: String) throws -> SpawnedProcess {
    try stage.bus.spawn("/usr/bin/python3", [Project.path("Tests/Tools/\(tool)")], input: .pipe)
  }

  @Test("dbus-python is told of each badge that comes, changes and goes, and of nothing twice")
  func dbusPython() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "3")
    let tool = try start("follow-with-dbus-python")
    defer { tool.terminate() }
    #expect(try tool.readLine(within: .seconds(20)) == "object mail 3 true")
    #expect(try tool.readLine() == "ready")

    try stage.done("set", "mail", "4")
    #expect(
      try Set([tool.readLine(), tool.readLine()])
        == ["changed mail Count=4 Label=4", "manager Total=4"]
    )
    // A set of what is already so says nothing.
    try stage.done("set", "mail", "4", "--max", "999")
    try stage.done("set", "My App", "on air")
    #expect(
      try Set([tool.readLine(), tool.readLine()])
        == ["added My_20App on air true", "manager Visible=2"]
    )
    try stage.done("set", "mail", "--urgent", "--description", "from home")
    #expect(try tool.readLine() == "changed mail Description=from home Urgent=true")

    // What Update takes, a property takes too.
    tool.write("set mail Max 2\n")
    #expect(try Set([tool.readLine(), tool.readLine()]) == ["set", "changed mail Label=2+ Max=2"])
    tool.write("set mail Max -2\n")
    #expect(try tool.readLine() == "org.badged.Badges1.Error.InvalidValue")
    tool.write("set mail Label 2\n")
    #expect(try tool.readLine() == "org.freedesktop.DBus.Error.PropertyReadOnly")
    #expect(try stage.done("get", "mail", "max") == "2\n")

    try stage.done("clear", "mail")
    #expect(
      try Set([tool.readLine(), tool.readLine()])
        == ["changed mail Count=0 Label=0 Urgent=false Visible=false", "manager Total=0 Visible=1"]
    )
    try stage.done("rm", "mail")
    #expect(try tool.readLine() == "removed mail org.badged.Badges1.Badge")
    try stage.done("rm", "My App")
    #expect(
      try Set([tool.readLine(), tool.readLine()])
        == ["removed My_20App org.badged.Badges1.Badge", "manager Visible=0"]
    )
    tool.closeInput()
    #expect(try tool.wait() == .success)
  }

  @Test("GLib's object manager holds the live values, also after the daemon was started again")
  func gio() throws {
    var daemon = try stage.startDaemon()
    try stage.done("set", "mail", "3")
    let tool = try start("follow-with-gio")
    defer { tool.terminate() }
    #expect(try tool.readLine(within: .seconds(20)) == "ready")
    #expect(try tool.readLine() == "state mail 3 true")
    try stage.done("set", "mail", "4")
    #expect(try tool.readLine() == "state mail 4 true")
    try stage.done("set", "chat", "on air")
    #expect(try tool.readLine() == "state chat on air true mail 4 true")
    try stage.done("set", "mail", "0")
    #expect(try tool.readLine() == "state chat on air true mail 0 false")
    try stage.done("rm", "chat")
    #expect(try tool.readLine() == "state mail 0 false")

    daemon.terminate()
    try tool.waitForLine(containing: "owner -")
    daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try tool.waitForLine(containing: "owner yes")
    try tool.waitForLine(containing: "state mail 0 false")
    try stage.done("inc", "mail", "5")
    try tool.waitForLine(containing: "state mail 5 true")
    tool.closeInput()
    #expect(try tool.wait() == .success)
  }
}

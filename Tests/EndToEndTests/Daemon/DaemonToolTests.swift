// SPDX-License-Identifier: MIT
import DBus
import Testing
import TestSupport

/// A common tool that calls D-Bus methods.
enum Tool: String, CaseIterable, Sendable {
  case dbusSend = "dbus-send"
  case gdbus
  case busctl
  case python = "python3-dbus"

  /// An argument, which each tool writes in its own way.
  struct Argument {
    var type: String
    var text: String
  }

  /// The command line that calls a method of the manager.
  func command(_ address: String, _ member: String, _ arguments: [Argument]) -> [String] {
    let (name, path) = ("org.badged.Badges1", "/org/badged/Badges1")
    switch self {
    case .dbusSend:
      let types = ["s": "string", "x": "int64", "v": "variant:int32"]
      return [
        "dbus-send", "--bus=\(address)", "--print-reply=literal", "--dest=\(name)", path,
        "\(name).\(member)",
      ] + arguments.map { "\(types[$0.type] ?? "")\(":")\($0.text)" }
    case .gdbus:
      let forms = ["s": "'@'", "x": "int64 @", "v": "<int32 @>"]
      return [
        "gdbus", "call", "--address", address, "--dest", name, "--object-path", path, "--method",
        "\(name).\(member)",
      ] + arguments.map { (forms[$0.type] ?? "").replacing("@", with: $0.text) }
    case .busctl:
      let signature = arguments.map(\.type).joined()
      let values = arguments.flatMap { $0.type == "v" ? ["i", $0.text] : [$0.text] }
      return ["busctl", "--address=\(address)", "call", name, path, name, member]
        + (arguments.isEmpty ? [] : [signature, "--"]) + values
    case .python:
      let forms = ["s": "'@'", "x": "dbus.Int64(@)", "v": "dbus.Int32(@, variant_level=1)"]
      let list = arguments.map { (forms[$0.type] ?? "").replacing("@", with: $0.text) }
      let script = """
        import dbus
        bus = dbus.bus.BusConnection('\(address)')
        badges = dbus.Interface(bus.get_object('\(name)', '\(path)'), '\(name)')
        reply = badges.\(member)(\(list.joined(separator: ", ")))
        if reply is not None: print(reply)
        """
      return ["/usr/bin/python3", "-c", script]
    }
  }
}

@Suite(.privateBus) struct DaemonToolTests {
  let bus = PrivateBus.current

  @Test(
    "The same calls by dbus-send, gdbus, busctl and python3-dbus do the same",
    arguments: Tool.allCases
  )
  func toolsAgree(_ tool: Tool) throws {
    let daemon = try bus.startDaemon(["--no-unity-name"])
    defer { daemon.terminate() }
    let client = try BusClient()

    func run(_ member: String, _ arguments: (String, String)...) throws -> String {
      let words = tool.command(
        bus.address,
        member,
        arguments.map { Tool.Argument(type: $0.0, text: $0.1) }
      )
      let finished = try bus.run(words[0], Array(words.dropFirst()))
      #expect(finished.status == .success, "\(words): \(finished.errorOutput)")
      return finished.output
    }

    _ = try run("Set", ("s", "mail"), ("x", "3"))
    #expect(try run("Increment", ("s", "mail"), ("x", "2")).contains("5"))
    #expect(try run("Decrement", ("s", "mail"), ("x", "1")).contains("4"))
    #expect(try run("IncrementSource", ("s", "mail"), ("s", "work"), ("x", "7")).contains("11"))
    _ = try run("SetSource", ("s", "mail"), ("s", "home"), ("x", "1"))
    _ = try run("SetProperty", ("s", "mail"), ("s", "max"), ("v", "9"))
    _ = try run("SetText", ("s", "build"), ("s", "v2"))
    _ = try run("SetDot", ("s", "news"))
    _ = try run("Set", ("s", "My App"), ("x", "-3"))
    _ = try run("Dismiss", ("s", "news"))
    _ = try run("Clear", ("s", "My App"))
    #expect(try run("Get", ("s", "mail")).contains("9+"))

    let badges = try client.list().badges
    #expect(badges.keys.sorted() == ["My App", "build", "mail"])
    #expect(badges["mail"]?["count"] == .int64(12))
    #expect(badges["mail"]?["label"] == .string("9+"))
    #expect(
      badges["mail"]?["sources"]?.entries == ["": .int64(4), "home": .int64(1), "work": .int64(7)]
    )
    #expect(badges["build"]?["text"] == .string("v2"))
    #expect(badges["My App"]?["count"] == .int64(0))

    _ = try run("Remove", ("s", "build"))
    #expect(try run("RemoveAll").contains("2"))
    // Changes within a frame are coalesced, so only the last signals are certain.
    #expect(try client.loop.run { client.signals.count { $0.reason == "cleared-all" } == 2 })
    let signals = try client.take(2)
    #expect(signals.map(\.revision) == (1...UInt64(signals.count)).map { $0 })
    #expect(
      signals.map(\.reason).filter { !$0.isEmpty } == [
        "dismissed", "removed", "cleared-all", "cleared-all",
      ]
    )
  }

  @Test(
    "Update by the tools that can send a dictionary",
    arguments: [
      [
        "gdbus", "call", "--address", "@", "--dest", "org.badged.Badges1", "--object-path",
        "/org/badged/Badges1", "--method", "org.badged.Badges1.Update", "mail",
        "{'count': <int32 7>, 'background': <'#09f'>, 'urgent': <true>, 'sources': <{'work': <2>}>}",
      ],
      [
        "busctl", "--address=@", "call", "org.badged.Badges1", "/org/badged/Badges1",
        "org.badged.Badges1", "Update", "sa{sv}", "mail", "4", "count", "i", "7", "background", "s",
        "#09f", "urgent", "b", "true", "sources", "a{sx}", "1", "work", "2",
      ],
      [
        "/usr/bin/python3", "-c",
        """
        import dbus
        badges = dbus.Interface(dbus.bus.BusConnection('@').get_object(
          'org.badged.Badges1', '/org/badged/Badges1'), 'org.badged.Badges1')
        badges.Update('mail', {'count': 7, 'background': '#09f', 'urgent': True,
          'sources': dbus.Dictionary({'work': dbus.Int64(2)}, signature='sx')})
        """,
      ],
    ]
  )
  func updates(_ command: [String]) throws {
    let daemon = try bus.startDaemon(["--no-unity-name"])
    defer { daemon.terminate() }
    let words = command.map { $0.replacing("@", with: bus.address) }
    let finished = try bus.run(words[0], Array(words.dropFirst()))
    #expect(finished.status == .success, "\(finished.errorOutput)")
    let badge = try #require(try BusClient().list().badges["mail"])
    #expect(badge["count"] == .int64(9))
    #expect(badge["background"] == .string("#0099FF"))
    #expect(badge["urgent"] == .boolean(true))
  }

  @Test("A tool's error tells what was wrong in one line", arguments: Tool.allCases)
  func toolsShowErrors(_ tool: Tool) throws {
    let daemon = try bus.startDaemon(["--no-unity-name"])
    defer { daemon.terminate() }
    let words = tool.command(
      bus.address,
      "Set",
      [Tool.Argument(type: "s", text: "a/b"), Tool.Argument(type: "x", text: "1")]
    )
    let finished = try bus.run(words[0], Array(words.dropFirst()))
    #expect(finished.status != .success)
    #expect(finished.errorOutput.contains("id: 'a/b' holds a '/'"))
  }
}

/// The badge objects in the ObjectManager clients of other libraries.
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
    #expect(try tool.readLine() == "object mail 3 true")
    #expect(try tool.readLine() == "ready")

    try stage.done("set", "mail", "4")
    #expect(
      try Set([tool.readLine(), tool.readLine()])
        == ["changed mail Count=4 Label=4", "manager Total=4"]
    )
    // Setting what is already set sends no signal.
    try stage.done("set", "mail", "4", "--max", "999")
    try stage.done("set", "My App", "on air")
    #expect(
      try Set([tool.readLine(), tool.readLine()])
        == ["added My_20App on air true", "manager Visible=2"]
    )
    try stage.done("set", "mail", "--urgent", "--description", "from home")
    #expect(try tool.readLine() == "changed mail Description=from home Urgent=true")

    // Properties accept the same values as Update.
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
    #expect(try tool.readLine() == "ready")
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

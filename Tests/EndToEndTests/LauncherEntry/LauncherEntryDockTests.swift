// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import Testing
import TestSupport

@Suite("Badges that docks are told of", .privateBus)
struct LauncherEntryDockTests {
  private static let mail = "org.example.mail"
  private static let uri = "application://org.example.mail.desktop"
  private static let chat = "application://org.example.chat.desktop"

  @Test(
    "are numbers, and presence for the rest",
    arguments: [
      ("Set", .int64(5), 5, true), ("Set", .int64(0), 0, false), ("Set", .int64(-2), -2, false),
      ("SetText", .string("new"), 1, true), ("SetDot", nil, 1, true),
    ] as [(String, Value?, Int64, Bool)]
  )
  func values(method: String, value: Value?, count: Int64, isVisible: Bool) throws {
    let session = try LauncherSession()
    let dock = try session.dock()
    if let value {
      try session.call(method, .string(Self.mail), value)
    } else {
      try session.call(method, .string(Self.mail))
    }
    #expect(try session.run { dock.last(Self.uri) != nil })
    #expect(
      dock.last(Self.uri)?.keys == [
        "count": .int64(count), "count-visible": .boolean(isVisible),
      ]
    )
  }

  @Test("follow progress, urgency and do-not-disturb")
  func hints() throws {
    let session = try LauncherSession()
    let dock = try session.dock()
    try session.call("Set", .string(Self.mail), .int64(5))
    try session.update(Self.mail, ["progress": .double(0.5), "urgent": .boolean(true)])
    #expect(try session.run { dock.last(Self.uri)?.keys["progress"] == .double(0.5) })
    #expect(dock.last(Self.uri)?.keys["urgent"] == .boolean(true))
    try session.setQuiet(true)
    #expect(try session.run { dock.last(Self.uri)?.isVisible == false })
    #expect(dock.last(Self.uri)?.count == .int64(5))
    #expect(dock.last(Self.uri)?.keys["urgent"] == .boolean(false))
    #expect(dock.last(Self.uri)?.keys["progress-visible"] == .boolean(false))
    try session.setQuiet(false)
    #expect(try session.run { dock.last(Self.uri)?.isVisible == true })
    #expect(dock.last(Self.uri)?.keys["urgent"] == .boolean(true))
  }

  @Test("have a connection each, which ends with the badge", arguments: ["Remove", "Dismiss"])
  func removed(method: String) throws {
    let session = try LauncherSession()
    let dock = try session.dock()
    try session.call("Set", .string(Self.mail), .int64(5))
    try session.call("Set", .string("org.example.chat"), .int64(6))
    try session.call("Set", .string("not-installed"), .int64(7))
    #expect(try session.run { dock.last(Self.uri) != nil && dock.last(Self.chat) != nil })
    let sender = try #require(BusName(dock.last(Self.uri)?.sender ?? ""))
    #expect(dock.last(Self.chat)?.sender != sender.rawValue)
    try session.call(method, .string(Self.mail))
    #expect(try session.run { dock.last(Self.uri)?.isVisible == false })
    #expect(try session.settles { try !session.client.hasOwner(sender) })
    #expect(Set(dock.received.map(\.uri)) == [Self.uri, Self.chat])
  }

  @Test("are told again after badged was restarted")
  func restart() throws {
    let session = try LauncherSession()
    let dock = try session.dock()
    try session.call("Set", .string(Self.mail), .int64(5))
    #expect(try session.run { dock.last(Self.uri)?.count == .int64(5) })
    dock.forgetReceived()
    try session.restartDaemon()
    #expect(try session.run { dock.last(Self.uri)?.count == .int64(5) })
  }

  @Test("are told when a desktop file is installed, and no longer when it goes")
  func installed() throws {
    let session = try LauncherSession(installed: [])
    let dock = try session.dock()
    try session.call("Set", .string(Self.mail), .int64(5))
    try session.install(Self.mail)
    #expect(try session.run { dock.last(Self.uri)?.isVisible == true })
    session.uninstall(Self.mail)
    #expect(try session.run { dock.last(Self.uri)?.isVisible == false })
    #expect(try session.shown(Self.mail) == 5)
  }

  @Test("are told to a dock that comes late, which gets com.canonical.Unity too")
  func lateDock() throws {
    let session = try LauncherSession()
    try session.call("Set", .string(Self.mail), .int64(5))
    #expect(try session.settles { try session.client.hasOwner(LauncherPeer.unity) })
    let dock = try session.dock()
    #expect(try dock.own() == .inQueue)
    #expect(try session.run { dock.last(Self.uri)?.count == .int64(5) })
    #expect(try session.settles { try dock.isOwner })
    dock.connection.close()
    #expect(try session.settles { try session.client.hasOwner(LauncherPeer.unity) })
  }

  @Test("leave com.canonical.Unity alone where that is asked for")
  func noUnityName() throws {
    let session = try LauncherSession(arguments: ["--no-unity-name"])
    let dock = try session.dock()
    try session.call("Set", .string(Self.mail), .int64(5))
    #expect(try session.run { dock.last(Self.uri) != nil })
    #expect(try !session.client.hasOwner(LauncherPeer.unity))
    #expect(try dock.own() == .primaryOwner)
  }

  @Test("are never those of apps, and are heard by nobody as an app's")
  func noEcho() throws {
    let session = try LauncherSession()
    let dock = try session.dock()
    let app = try session.peer()
    try app.announce(Self.chat, count: 3)
    try session.call("Set", .string(Self.mail), .int64(5))
    #expect(try session.run { dock.last(Self.uri) != nil })
    try session.call("Remove", .string(Self.mail))
    #expect(try session.run { dock.last(Self.uri)?.isVisible == false })
    #expect(try session.badge(Self.mail) == nil)
    #expect(dock.received.filter { $0.uri == Self.chat }.map(\.sender) == [app.name])
  }
}

@Suite(
  "The real libunity",
  .privateBus,
  .enabled(
    if: LibunityApp.isAvailable,
    "libunity can't be used from Python here: install gir1.2-unity-7.0 and python3-gi"
  )
)
struct LibunityTests {
  private static let mail = "org.example.mail"

  @Test("is heard when badged was there before the app")
  func after() throws {
    let session = try LauncherSession()
    let app = try LibunityApp(on: session.bus)
    try app.set("count 4")
    try app.set("visible true")
    #expect(try session.settles { try session.shown(Self.mail) == 4 })
    try app.set("progress 0.25")
    try app.set("progress-visible true")
    try app.set("urgent true")
    #expect(try session.settles { try session.badge(Self.mail)?["urgent"] == .boolean(true) })
    #expect(try session.badge(Self.mail)?["progress"] == .double(0.25))
    try app.set("visible false")
    #expect(try session.settles { try session.shown(Self.mail) == nil })
    #expect(try session.badge(Self.mail)?["count"] == .int64(4))
    app.process.terminate()
    #expect(try session.settles { try session.badge(Self.mail) == nil })
  }

  @Test("tells everything when badged comes after the app, and again after a restart")
  func before() throws {
    let app = try LibunityApp(on: .current)
    try app.set("count 6")
    try app.set("visible true")
    let session = try LauncherSession()
    #expect(try session.settles { try session.shown(Self.mail) == 6 })
    try session.restartDaemon()
    #expect(try session.settles { try session.shown(Self.mail) == 6 })
    try app.set("count 7")
    #expect(try session.settles { try session.shown(Self.mail) == 7 })
  }
}

/// An app that uses libunity.
private final class LibunityApp {
  static let isAvailable =
    (try? SpawnedProcess.run(Project.path("Tests/Tools/libunity-app"), ["--check"]))?.status
    == .success

  let process: SpawnedProcess

  init(on bus: PrivateBus) throws {
    process = try bus.spawn(
      Project.path("Tests/Tools/libunity-app"),
      ["org.example.mail.desktop"],
      input: .pipe
    )
    try process.waitForLine(containing: "ready")
  }

  deinit {
    process.terminate()
  }

  func set(_ line: String) throws {
    process.write(line + "\n")
    try process.waitForLine(containing: "done")
  }
}

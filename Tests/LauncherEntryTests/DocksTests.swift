// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import LauncherEntry
import TestSupport
import Testing

@Suite("What docks are told", .privateBus)
struct DocksTests {
  private static let mail = "application://mail.desktop"
  private static let chat = "application://chat.desktop"

  private func listening(_ stage: BridgeStage) throws -> LauncherPeer {
    let dock = try stage.peer()
    try dock.listen()
    stage.bridge.speak()
    return dock
  }

  @Test("is number and visibility together, from a connection of the app's own")
  func first() throws {
    let stage = try BridgeStage()
    let dock = try listening(stage)
    stage.show("mail", count: 3)
    stage.show("chat", DockState(count: 1, isCountVisible: false))
    #expect(try stage.run { dock.last(Self.mail) != nil && dock.last(Self.chat) != nil })
    let mail = try #require(dock.last(Self.mail))
    #expect(mail.keys == ["count": .int64(3), "count-visible": .boolean(true)])
    #expect(mail.path == LauncherEntryPath.path(for: Self.mail))
    let chat = try #require(dock.last(Self.chat))
    #expect(chat.keys == ["count": .int64(1), "count-visible": .boolean(false)])
    #expect(
      Set([mail.sender, chat.sender, stage.connection.uniqueName?.rawValue ?? ""]).count == 3
    )
  }

  @Test("holds progress and urgency when there are some, and their end")
  func progress() throws {
    let stage = try BridgeStage()
    let dock = try listening(stage)
    stage.show(
      "mail",
      DockState(count: 1, isCountVisible: true, progress: 0.25, isUrgent: true)
    )
    #expect(try stage.run { dock.last(Self.mail)?.keys["progress"] == .double(0.25) })
    #expect(dock.last(Self.mail)?.keys["progress-visible"] == .boolean(true))
    #expect(dock.last(Self.mail)?.keys["urgent"] == .boolean(true))
    stage.show("mail", count: 1)
    #expect(try stage.run { dock.last(Self.mail)?.keys["progress-visible"] == .boolean(false) })
    #expect(dock.last(Self.mail)?.keys["urgent"] == .boolean(false))
  }

  @Test("is nothing of badges whose id is no installed desktop file, until it is")
  func notInstalled() throws {
    let stage = try BridgeStage()
    let dock = try listening(stage)
    stage.show("other", count: 1)
    stage.show("Mail", count: 2)
    stage.show("chat", count: 3)
    #expect(try stage.run { dock.last(Self.chat) != nil })
    #expect(dock.received.allSatisfy { $0.uri == Self.chat })
    try stage.folder.install("applications/other.desktop")
    #expect(try stage.run { dock.last("application://other.desktop")?.count == .int64(1) })
    stage.folder.remove("applications/other.desktop")
    #expect(try stage.run { dock.last("application://other.desktop")?.isVisible == false })
  }

  @Test("never comes faster than docks can take it, and the last state always comes")
  func pace() throws {
    let stage = try BridgeStage()
    let dock = try listening(stage)
    var count: Int64 = 0
    // A turn for each change, so that none can be merged before it gets here.
    #expect(
      try stage.run {
        count += 1
        stage.show("mail", count: count)
        stage.loop.requestTurn()
        return dock.received.count >= 6
      }
    )
    #expect(try stage.run { dock.last(Self.mail)?.count == .int64(count) })
    // Single updates may reach the test late, and the next one then comes sooner.
    let first = try #require(dock.received.first)
    let last = try #require(dock.received.last)
    let updates = dock.received.count
    #expect(last.time - first.time > .milliseconds(35) * (updates - 1) - .milliseconds(35))
    #expect(Int64(updates) < count)
  }

  @Test("ends with nothing to show, and then with the connection")
  func removed() throws {
    let stage = try BridgeStage()
    let dock = try listening(stage)
    stage.show("mail", DockState(count: 3, isCountVisible: true, progress: 0.5, isUrgent: true))
    #expect(try stage.run { dock.last(Self.mail) != nil })
    let sender = try #require(BusName(dock.last(Self.mail)?.sender ?? ""))
    stage.show("mail", nil)
    #expect(try stage.run { dock.last(Self.mail)?.isVisible == false })
    #expect(dock.last(Self.mail)?.keys["progress-visible"] == .boolean(false))
    #expect(dock.last(Self.mail)?.keys["urgent"] == .boolean(false))
    #expect(try stage.run { try !dock.connection.hasOwner(sender) })
    stage.show("mail", count: 4)
    #expect(try stage.run { dock.last(Self.mail)?.count == .int64(4) })
  }

  @Test("goes on with the same connection when a badge that was removed is set again at once")
  func removedAndSet() throws {
    let stage = try BridgeStage()
    let dock = try listening(stage)
    stage.show("mail", count: 1)
    #expect(try stage.run { dock.last(Self.mail)?.count == .int64(1) })
    stage.show("mail", nil)
    stage.show("mail", count: 2)
    #expect(try stage.run { dock.last(Self.mail)?.count == .int64(2) })
    #expect(Set(dock.received.map(\.sender)).count == 1)
    #expect(
      try !stage.loop.run(within: .milliseconds(300)) { dock.last(Self.mail)?.isVisible != true }
    )
  }

  @Test("is told again when com.canonical.Unity changes hands")
  func changesHands() throws {
    let stage = try BridgeStage()
    let dock = try listening(stage)
    stage.show("mail", count: 3)
    stage.show("chat", count: 4)
    #expect(try stage.run { dock.last(Self.mail) != nil && dock.last(Self.chat) != nil })
    dock.forgetReceived()
    #expect(try dock.own([.allowReplacement, .replaceExisting]) == .primaryOwner)
    #expect(try stage.run { dock.last(Self.mail)?.count == .int64(3) })
    #expect(try stage.run { dock.last(Self.chat)?.count == .int64(4) })
  }

  @Test("is told to a dock that comes late and queues for the name")
  func lateDock() throws {
    let stage = try BridgeStage()
    stage.bridge.speak()
    stage.show("mail", count: 3)
    let watcher = try stage.peer()
    #expect(try stage.run { try watcher.connection.hasOwner(LauncherPeer.unity) })
    let dock = try stage.peer()
    try dock.listen()
    #expect(try dock.own() == .inQueue)
    #expect(try stage.run { dock.last(Self.mail)?.count == .int64(3) })
  }

  @Test("is told again when Plasma's shell comes, which does not queue")
  func plasma() throws {
    let stage = try BridgeStage()
    stage.bridge.speak()
    stage.show("mail", count: 3)
    let dock = try stage.peer()
    try dock.listen()
    _ = try dock.connection.requestName(BusName(constant: "org.kde.plasmashell"))
    #expect(try stage.run { dock.last(Self.mail)?.count == .int64(3) })
  }

  @Test("is never heard as an app's announcement, and apps' own badges are not echoed")
  func noEcho() throws {
    let stage = try BridgeStage()
    let dock = try listening(stage)
    stage.show("mail", count: 3)
    #expect(try stage.run { dock.last(Self.mail) != nil })
    let app = try stage.peer()
    try app.announce(Self.chat, count: 5)
    stage.show("mail", nil)
    #expect(try stage.run { dock.last(Self.mail)?.isVisible == false })
    #expect(try stage.run { stage.host.count("chat") == 5 })
    #expect(stage.host.announced.count == 1)
    #expect(dock.received.filter { $0.uri == Self.chat }.map(\.sender) == [app.name])
  }

  @Test("is said again when the app speaks too, so that docks show the native badge")
  func native() throws {
    let stage = try BridgeStage()
    let dock = try listening(stage)
    stage.show("mail", count: 3)
    #expect(try stage.run { dock.last(Self.mail)?.count == .int64(3) })
    let app = try stage.peer()
    dock.forgetReceived()
    try app.announce(Self.mail, count: 5)
    #expect(try stage.run { dock.received.count == 2 })
    #expect(dock.received.map(\.count) == [.int64(5), .int64(3)])
  }

  @Test(
    "is of no more than 128 badges, with one line of the log; the next has the place of one gone"
  )
  func limit() throws {
    let ids = (0..<140).map { "app\($0)" }
    let stage = try BridgeStage(installed: ids)
    let dock = try listening(stage)
    for id in ids { stage.show(id, count: 1) }
    #expect(try stage.run { dock.received.count >= 128 })
    let shown = Set(dock.received.filter(\.isVisible).map(\.uri))
    #expect(shown.count == 128)
    #expect(stage.host.lines.count == 1)
    let removed = try #require(ids.first { shown.contains(LauncherEntryPath.uri(for: $0)) })
    stage.show(removed, nil)
    #expect(try stage.run { Set(dock.received.filter(\.isVisible).map(\.uri)).count == 129 })
  }

  @Test("comes back when the bus throws one of the connections out")
  func thrownOut() throws {
    let bus = try PrivateBus(
      configuration: "<limit name=\"max_connections_per_user\">3</limit>"
    )
    defer { bus.stop() }
    let stage = try BridgeStage(address: bus.address)
    let dock = try LauncherPeer(on: stage.loop, address: bus.address)
    try dock.listen()
    stage.bridge.speak()
    stage.show("mail", count: 1)
    #expect(try stage.run { dock.last(Self.mail) != nil })
    stage.show("chat", count: 1)
    #expect(try stage.run { stage.host.lines.count == 1 })
    #expect(dock.last(Self.chat) == nil)
  }
}

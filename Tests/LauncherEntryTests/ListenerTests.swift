// SPDX-License-Identifier: MIT
import BadgeCore
@testable import DBus
import EventLoop
@testable import LauncherEntry
import TestSupport
import Testing

@Suite("Apps that announce badges", .privateBus)
struct ListenerTests {
  @Test(
    "are heard whatever integer type their number has",
    arguments: [
      (.byte(7), 7), (.int16(-7), -7), (.uint16(7), 7), (.int32(7), 7), (.uint32(7), 7),
      (.int64(7), 7), (.uint64(7), 7), (.uint64(.max), .max), (.int64(.min), .min),
    ] as [(Value, Int64)]
  )
  func integers(value: Value, count: Int64) throws {
    let stage = try BridgeStage()
    let app = try stage.peer()
    try app.announce("application://mail.desktop", [("count", value)])
    #expect(try stage.run { stage.host.count("mail") == count })
    #expect(stage.host.announced["mail"]?.isCountShown == true)
  }

  @Test(
    "are published under the id of their desktop file",
    arguments: [
      ("application://org.example.Mail.desktop", "org.example.Mail"),
      ("application://org.example.mail", "org.example.Mail"),
      ("ORG.EXAMPLE.MAIL.DESKTOP", "org.example.Mail"),
      ("application:///usr/share/applications/org.example.Mail.desktop", "org.example.Mail"),
      ("application://org%2Eexample%2EMail.desktop", "org.example.Mail"),
      ("application://spread.desktop", "snap_spread"), ("unknown.desktop", "unknown"),
    ]
  )
  func forms(uri: String, id: String) throws {
    let stage = try BridgeStage(installed: ["org.example.Mail", "snap_spread"])
    let app = try stage.peer()
    try app.announce(uri, count: 3)
    #expect(try stage.run { stage.host.count(id) == 3 })
    #expect(stage.host.announced.count == 1)
  }

  @Test("say things bit by bit")
  func partial() throws {
    let stage = try BridgeStage()
    let app = try stage.peer()
    try app.announce("mail", [("count", .int32(4))])
    try app.announce("mail", [("progress", .double(0.5)), ("urgent", .boolean(true))])
    try app.announce("mail", [("count-visible", .boolean(false)), ("progress", .double(.nan))])
    #expect(try stage.run { stage.host.announced["mail"]?.isCountShown == false })
    let mail = try #require(stage.host.announced["mail"])
    #expect(mail.count == 4)
    #expect(mail.progress == 0.5)
    #expect(mail.wantsAttention)
  }

  @Test("may say garbage beside what makes sense, and only that is taken")
  func garbage() throws {
    let stage = try BridgeStage()
    let app = try stage.peer()
    var deep = Value.string("deep")
    for _ in 0..<20 { deep = .variant(deep) }
    var keys: [(String, Value)] = [
      ("count", .string("7")), ("count-visible", .int32(1)), ("urgent", deep),
      ("progress", .array(Signature(constant: "d"), [.double(1)])), ("quicklist", .string("/x")),
      ("count", .int64(9)), ("progress-visible", .variant(.boolean(true))),
    ]
    for number in 0..<200 { keys.append(("key\(number)", deep)) }
    try app.announce("mail", keys)
    #expect(try stage.run { stage.host.count("mail") == 9 })
    let mail = try #require(stage.host.announced["mail"])
    #expect(mail.isCountShown)
    #expect(!mail.wantsAttention)
    #expect(mail.progress == nil)
    #expect(stage.host.lines.isEmpty)
  }

  @Test("are told apart from what only has the same name")
  func notUpdates() throws {
    let stage = try BridgeStage()
    let app = try stage.peer()
    let path = ObjectPath(constant: "/x")
    for _ in 0..<3 {
      try app.connection.send(
        signal: MemberName(constant: "Update"),
        of: LauncherPeer.interface,
        from: path
      ) { $0.append("mail") }
    }
    try app.announce("mail", [])
    try app.announce("mail", [("quicklist", .string("/menu"))])
    try app.announce("chat", count: 1)
    #expect(try stage.run { stage.host.count("chat") == 1 })
    #expect(stage.host.announced["mail"] == nil)
    #expect(stage.host.lines.count == 1)
    #expect(stage.host.lines.first?.contains(app.name) == true)
  }

  @Test(
    "leave with their connection, and the one that spoke before shows",
    arguments: [true, false]
  )
  func deaths(latestDiesFirst: Bool) throws {
    let stage = try BridgeStage()
    let first = try stage.peer()
    let second = try stage.peer()
    try first.announce("mail", count: 3)
    #expect(try stage.run { stage.host.count("mail") == 3 })
    try second.announce("mail", count: 9)
    #expect(try stage.run { stage.host.count("mail") == 9 })
    (latestDiesFirst ? second : first).connection.close()
    if latestDiesFirst { #expect(try stage.run { stage.host.count("mail") == 3 }) }
    (latestDiesFirst ? first : second).connection.close()
    #expect(try stage.run { stage.host.announced["mail"] == nil })
  }

  @Test("keep their badges when they give up a well-known name")
  func wellKnownNames() throws {
    let stage = try BridgeStage()
    let app = try stage.peer()
    let name = BusName(constant: "org.example.Mail")
    _ = try app.connection.requestName(name)
    try app.announce("mail", count: 3)
    #expect(try stage.run { stage.host.count("mail") == 3 })
    try app.connection.releaseName(name)
    try app.announce("chat", count: 1)
    #expect(try stage.run { stage.host.count("chat") == 1 })
    #expect(stage.host.count("mail") == 3)
  }

  @Test("are slowed alone when they flood, and their last word counts")
  func flood() throws {
    let stage = try BridgeStage()
    let flooder = try stage.peer()
    let other = try stage.peer()
    for number in 1...2000 { try flooder.announce("mail", count: Int64(number)) }
    try other.announce("chat", count: 1)
    #expect(try stage.run { stage.host.count("chat") == 1 })
    #expect(try stage.run { stage.host.count("mail") == 2000 })
    #expect(stage.host.calls < 500)
    #expect(stage.host.lines.count == 1)
  }

  @Test("are no more than the limits allow, with one line of the log for a sender")
  func inventions() throws {
    let stage = try BridgeStage()
    let inventor = try stage.peer()
    for number in 0..<10_000 {
      try inventor.announce("application://app\(number).desktop", count: 1)
    }
    let app = try stage.peer()
    try app.announce("mail", count: 1)
    #expect(try stage.run { stage.host.count("mail") == 1 })
    #expect(stage.host.announced.count == Senders.maximumAppsOfSender + 1)
    #expect(stage.host.lines.count == 1)
    inventor.connection.close()
    #expect(try stage.run { stage.host.announced.count == 1 })
  }

  @Test("have room for another app where the badge of one was removed")
  func removedMakeRoom() throws {
    let stage = try BridgeStage()
    let app = try stage.peer()
    for number in 0..<Senders.maximumAppsOfSender { try app.announce("app\(number)", count: 1) }
    try app.announce("mail", count: 1)
    let other = try stage.peer()
    try other.announce("app7", count: 5)
    #expect(try stage.run { stage.host.count("app7") == 5 })
    #expect(stage.host.announced["mail"] == nil)
    stage.host.removed = ["app3", "app7"]
    try app.announce("mail", count: 2)
    #expect(try stage.run { stage.host.count("mail") == 2 })
    #expect(stage.host.announced["app3"] == nil)
    // Another speaks of it still.
    #expect(stage.host.count("app7") == 5)
    stage.host.removed = []
    try app.announce("app3", count: 4)
    #expect(try stage.run { stage.host.count("app3") == 4 })
    try app.announce("more", count: 1)
    try other.announce("app7", count: 6)
    #expect(try stage.run { stage.host.count("app7") == 6 })
    #expect(stage.host.announced["more"] == nil)
  }

  @Test("move to the id of a desktop file that is installed later")
  func installedLater() throws {
    let stage = try BridgeStage()
    let app = try stage.peer()
    try app.announce("application://late.desktop", count: 2)
    #expect(try stage.run { stage.host.count("late") == 2 })
    try stage.folder.install("applications/Late.desktop")
    #expect(try stage.run { stage.host.count("Late") == 2 })
    #expect(stage.host.announced["late"] == nil)
  }

  @Test("keep their badges over a restart while they live, and only on the same bus")
  func restart() throws {
    let first = try BridgeStage()
    let app = try first.peer()
    let leaving = try first.peer()
    try app.announce("mail", count: 3)
    try leaving.announce("chat", count: 4)
    #expect(try first.run { first.host.announced.count == 2 })
    let records = first.bridge.takeChanges().compactMapValues(\.self)
    #expect(records.count == 2)
    leaving.connection.close()
    first.connection.close()
    let second = try BridgeStage(restoring: records)
    #expect(second.host.count("mail") == 3)
    #expect(second.host.announced.count == 1)
    #expect(second.host.renewals == 0)
    let changes = second.bridge.takeChanges()
    #expect(changes == [Senders.Key(sender: leaving.name, app: "chat"): nil])
    app.connection.close()
    #expect(try second.run { second.host.announced.isEmpty })
  }
}

@Suite("A sender that means no good")
struct HostileSenderTests {
  @Test("spells an app in ever new ways, and few of them are remembered")
  func spellings() {
    var states = Senders()
    var update = AppAnnouncement()
    for number in 0..<2_000 {
      update.count = Int64(number)
      let slashes = String(repeating: "/", count: number % 2 == 0 ? 1 : 4_000)
      let uri = "application://\(number)\(slashes)app.desktop"
      _ = states.apply(update, to: uri, from: ":1.1", now: .now()) { _ in "app" }
    }
    let spellings = states.cachedURIs(of: ":1.1")
    #expect((1...4).contains(spellings.count))
    #expect(spellings.allSatisfy { $0.utf8.count <= LauncherLimits.rememberedSpellingBytes })
  }

  @Test("says a thousand keys at once, and none is heard", arguments: [256, 257, 1_000])
  func keys(count: Int) throws {
    var writer = MessageWriter()
    writer.append("application://app.desktop")
    writer.appendDictionary { entries in
      entries.appendEntry("count", variant: 3 as Int64)
      for number in 1..<count { entries.appendEntry("k\(number)", variant: true) }
    }
    var header = MessageHeader(type: .signal, serial: 1)
    header.path = .root
    header.interface = LauncherNames.interface
    header.member = LauncherNames.update
    let message = try writer.makeMessage(header).message
    #expect(AppAnnouncement.read(message)?.update.count == (count > LauncherLimits.keys ? nil : 3))
  }
}

// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import LauncherEntry
import TestSupport
import Testing

@Suite("Apps that announce badges", .privateBus)
struct LauncherListeningTests {
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
    try app.say("application://mail.desktop", [("count", value)])
    #expect(try stage.run { stage.keeper.count("mail") == count })
    #expect(stage.keeper.announced["mail"]?.isCountVisible == true)
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
    try app.say(uri, count: 3)
    #expect(try stage.run { stage.keeper.count(id) == 3 })
    #expect(stage.keeper.announced.count == 1)
  }

  @Test("say things bit by bit")
  func partial() throws {
    let stage = try BridgeStage()
    let app = try stage.peer()
    try app.say("mail", [("count", .int32(4))])
    try app.say("mail", [("progress", .double(0.5)), ("urgent", .boolean(true))])
    try app.say("mail", [("count-visible", .boolean(false)), ("progress", .double(.nan))])
    #expect(try stage.run { stage.keeper.announced["mail"]?.isCountVisible == false })
    let mail = try #require(stage.keeper.announced["mail"])
    #expect(mail.count == 4)
    #expect(mail.progress == 0.5)
    #expect(mail.isUrgent)
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
    try app.say("mail", keys)
    #expect(try stage.run { stage.keeper.count("mail") == 9 })
    let mail = try #require(stage.keeper.announced["mail"])
    #expect(mail.isCountVisible)
    #expect(!mail.isUrgent)
    #expect(mail.progress == nil)
    #expect(stage.keeper.lines.isEmpty)
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
    try app.say("mail", [])
    try app.say("mail", [("quicklist", .string("/menu"))])
    try app.say("chat", count: 1)
    #expect(try stage.run { stage.keeper.count("chat") == 1 })
    #expect(stage.keeper.announced["mail"] == nil)
    #expect(stage.keeper.lines.count == 1)
    #expect(stage.keeper.lines.first?.contains(app.name) == true)
  }

  @Test(
    "leave with their connection, and the one that spoke before shows",
    arguments: [true, false]
  )
  func deaths(latestDiesFirst: Bool) throws {
    let stage = try BridgeStage()
    let first = try stage.peer()
    let second = try stage.peer()
    try first.say("mail", count: 3)
    #expect(try stage.run { stage.keeper.count("mail") == 3 })
    try second.say("mail", count: 9)
    #expect(try stage.run { stage.keeper.count("mail") == 9 })
    (latestDiesFirst ? second : first).connection.close()
    if latestDiesFirst { #expect(try stage.run { stage.keeper.count("mail") == 3 }) }
    (latestDiesFirst ? first : second).connection.close()
    #expect(try stage.run { stage.keeper.announced["mail"] == nil })
  }

  @Test("keep their badges when they give up a well-known name")
  func wellKnownNames() throws {
    let stage = try BridgeStage()
    let app = try stage.peer()
    let name = BusName(constant: "org.example.Mail")
    _ = try app.connection.requestName(name)
    try app.say("mail", count: 3)
    #expect(try stage.run { stage.keeper.count("mail") == 3 })
    try app.connection.releaseName(name)
    try app.say("chat", count: 1)
    #expect(try stage.run { stage.keeper.count("chat") == 1 })
    #expect(stage.keeper.count("mail") == 3)
  }

  @Test("are slowed alone when they flood, and their last word counts")
  func flood() throws {
    let stage = try BridgeStage()
    let flooder = try stage.peer()
    let other = try stage.peer()
    for number in 1...2000 { try flooder.say("mail", count: Int64(number)) }
    try other.say("chat", count: 1)
    #expect(try stage.run { stage.keeper.count("chat") == 1 })
    #expect(try stage.run { stage.keeper.count("mail") == 2000 })
    #expect(stage.keeper.calls < 500)
    #expect(stage.keeper.lines.count == 1)
  }

  @Test("are no more than the limits allow, with one line of the log for a sender")
  func inventions() throws {
    let stage = try BridgeStage()
    let inventor = try stage.peer()
    for number in 0..<10_000 { try inventor.say("application://app\(number).desktop", count: 1) }
    let app = try stage.peer()
    try app.say("mail", count: 1)
    #expect(try stage.run { stage.keeper.count("mail") == 1 })
    #expect(stage.keeper.announced.count == SenderStates.maximumAppsOfSender + 1)
    #expect(stage.keeper.lines.count == 1)
    inventor.connection.close()
    #expect(try stage.run { stage.keeper.announced.count == 1 })
  }

  @Test("have room for another app where the badge of one was removed")
  func removedMakeRoom() throws {
    let stage = try BridgeStage()
    let app = try stage.peer()
    for number in 0..<SenderStates.maximumAppsOfSender { try app.say("app\(number)", count: 1) }
    try app.say("mail", count: 1)
    let other = try stage.peer()
    try other.say("app7", count: 5)
    #expect(try stage.run { stage.keeper.count("app7") == 5 })
    #expect(stage.keeper.announced["mail"] == nil)
    stage.keeper.removed = ["app3", "app7"]
    try app.say("mail", count: 2)
    #expect(try stage.run { stage.keeper.count("mail") == 2 })
    #expect(stage.keeper.announced["app3"] == nil)
    // Another speaks of it still.
    #expect(stage.keeper.count("app7") == 5)
    stage.keeper.removed = []
    try app.say("app3", count: 4)
    #expect(try stage.run { stage.keeper.count("app3") == 4 })
    try app.say("more", count: 1)
    try other.say("app7", count: 6)
    #expect(try stage.run { stage.keeper.count("app7") == 6 })
    #expect(stage.keeper.announced["more"] == nil)
  }

  @Test("move to the id of a desktop file that is installed later")
  func installedLater() throws {
    let stage = try BridgeStage()
    let app = try stage.peer()
    try app.say("application://late.desktop", count: 2)
    #expect(try stage.run { stage.keeper.count("late") == 2 })
    try stage.folder.install("applications/Late.desktop")
    #expect(try stage.run { stage.keeper.count("Late") == 2 })
    #expect(stage.keeper.announced["late"] == nil)
  }

  @Test("keep their badges over a restart while they live, and only on the same bus")
  func restart() throws {
    let first = try BridgeStage()
    let app = try first.peer()
    let leaving = try first.peer()
    try app.say("mail", count: 3)
    try leaving.say("chat", count: 4)
    #expect(try first.run { first.keeper.announced.count == 2 })
    let records = first.bridge.takeChanges().compactMapValues(\.self)
    #expect(records.count == 2)
    leaving.connection.close()
    first.connection.close()
    let second = try BridgeStage(restoring: records)
    #expect(second.keeper.count("mail") == 3)
    #expect(second.keeper.announced.count == 1)
    #expect(second.keeper.renewals == 0)
    let changes = second.bridge.takeChanges()
    #expect(changes == [SenderStates.Key(sender: leaving.name, app: "chat"): nil])
    app.connection.close()
    #expect(try second.run { second.keeper.announced.isEmpty })
  }
}

// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

@Suite("Badges that apps announce", .privateBus)
struct LauncherEntryAppTests {
  private static let mail = "org.example.mail"
  private static let uri = "application://org.example.mail.desktop"

  @Test(
    "are published, in whatever form apps announce them",
    arguments: [
      ("application://org.example.Mail.desktop", .int64(3)),
      ("application://org.example.mail", .int32(3)),
      ("org.example.Mail.desktop", .uint32(3)),
      ("ORG.EXAMPLE.MAIL", .byte(3)),
      ("application:///usr/share/applications/org.example.Mail.desktop", .uint64(3)),
      ("application://org%2eexample%2EMail.desktop", .int16(3)),
    ] as [(String, Value)]
  )
  func forms(uri: String, count: Value) throws {
    let session = try LauncherSession(installed: ["org.example.Mail"])
    let app = try session.peer()
    try app.announce(uri, [("count", count)])
    #expect(try session.settles { try session.shown("org.example.Mail") == 3 })
    #expect(try session.badge("org.example.Mail")?["origin"] == .string("launcher-entry"))
  }

  @Test("of snaps and of apps that are not installed are published too")
  func others() throws {
    let session = try LauncherSession(installed: ["discord_discord"])
    let app = try session.peer()
    try app.announce("application://discord.desktop", count: 2)
    try app.announce("application://Nobody.Knows", count: 3)
    #expect(try session.settles { try session.shown("Nobody.Knows") == 3 })
    #expect(try session.shown("discord_discord") == 2)
  }

  @Test(
    "are visible when their number is above zero and nothing says otherwise",
    arguments: [
      ([("count", .int64(5))], 5, true),
      ([("count", .int64(0)), ("count-visible", .boolean(true))], 0, false),
      ([("count", .int64(-3)), ("count-visible", .boolean(true))], -3, false),
      ([("count", .int64(5)), ("count-visible", .boolean(false))], 5, false),
      ([("count-visible", .boolean(false))], 0, false),
      ([("count", .int64(.max)), ("count-visible", .boolean(true))], 9_007_199_254_740_991, true),
    ] as [([(String, Value)], Int64, Bool)]
  )
  func visibility(keys: [(String, Value)], count: Int64, isVisible: Bool) throws {
    let session = try LauncherSession()
    let app = try session.peer()
    try app.announce(Self.uri, keys)
    #expect(try session.settles { try session.badge(Self.mail) != nil })
    let badge = try #require(try session.badge(Self.mail))
    #expect(badge["count"] == .int64(count))
    #expect(badge["visible"] == .boolean(isVisible))
  }

  @Test("keep their number while they are hidden, and are merged")
  func merged() throws {
    let session = try LauncherSession()
    let app = try session.peer()
    try app.announce(Self.uri, count: 5)
    try app.announce(Self.uri, [("count-visible", .boolean(false))])
    try app.announce(Self.uri, [("progress", .double(.infinity)), ("urgent", .boolean(true))])
    #expect(try session.settles { try session.badge(Self.mail)?["urgent"] == .boolean(true) })
    let badge = try #require(try session.badge(Self.mail))
    #expect(badge["count"] == .int64(5))
    #expect(badge["visible"] == .boolean(false))
    #expect(badge["progress"] == .double(-1))
    try app.announce(Self.uri, [("count-visible", .boolean(true)), ("progress", .double(0.5))])
    #expect(try session.settles { try session.shown(Self.mail) == 5 })
    #expect(try session.badge(Self.mail)?["progress"] == .double(0.5))
  }

  @Test(
    "are those of the latest sender that lives, and end with the last",
    arguments: [true, false]
  )
  func twoSenders(latestDiesFirst: Bool) throws {
    let session = try LauncherSession()
    let first = try session.peer()
    let second = try session.peer()
    try first.announce(Self.uri, count: 3)
    #expect(try session.settles { try session.shown(Self.mail) == 3 })
    try second.announce(Self.uri, count: 9)
    #expect(try session.settles { try session.shown(Self.mail) == 9 })
    (latestDiesFirst ? second : first).connection.close()
    let left: Int64 = latestDiesFirst ? 3 : 9
    #expect(try session.settles { try session.shown(Self.mail) == left })
    (latestDiesFirst ? first : second).connection.close()
    let seen: [LauncherSession.Event] =
      [.changed(Self.mail, origin: "launcher-entry")]
      + Array(repeating: .changed(Self.mail, origin: nil), count: latestDiesFirst ? 2 : 1)
    #expect(
      try session.settles { session.events == seen + [.removed(Self.mail, reason: "owner-gone")] }
    )
    #expect(try session.badge(Self.mail) == nil)
  }

  @Test("yield to a native badge, and show again after it with no Removed between")
  func nativeOverApp() throws {
    let session = try LauncherSession()
    let app = try session.peer()
    try app.announce(Self.uri, count: 5)
    #expect(try session.settles { try session.shown(Self.mail) == 5 })
    try session.call("Increment", .string(Self.mail), .int64(2))
    #expect(try session.shown(Self.mail) == 2)
    try app.announce(Self.uri, count: 6)
    // Announcements of one sender are handled in order.
    try app.announce("application://org.example.chat", count: 1)
    #expect(try session.settles { try session.shown("org.example.chat") == 1 })
    #expect(try session.shown(Self.mail) == 2)
    try session.call("Remove", .string(Self.mail))
    #expect(try session.settles { try session.shown(Self.mail) == 6 })
    let origins = ["launcher-entry", "native", "launcher-entry"]
    #expect(
      try session.settles {
        session.events.filter { $0.id == Self.mail }
          == origins.map { .changed(Self.mail, origin: $0) }
      }
    )
  }

  @Test("have the style and policy that a person gave them, kept by id when the app goes")
  func style() throws {
    let session = try LauncherSession()
    let app = try session.peer()
    try app.announce(Self.uri, count: 50)
    #expect(try session.settles { try session.shown(Self.mail) == 50 })
    try session.update(Self.mail, ["max": .int64(9), "background": .string("#09f")])
    #expect(try session.badge(Self.mail)?["origin"] == .string("launcher-entry"))
    app.connection.close()
    #expect(try session.settles { try session.badge(Self.mail) == nil })
    let again = try session.peer()
    try again.announce(Self.uri, count: 51)
    #expect(try session.settles { try session.shown(Self.mail) == 51 })
    let badge = try #require(try session.badge(Self.mail))
    #expect(badge["label"] == .string("9+"))
    #expect(badge["background"] == .string("#0099FF"))
  }

  @Test("stay away when a person dismissed them, until their number changes")
  func dismissed() throws {
    let session = try LauncherSession()
    let app = try session.peer()
    try app.announce(Self.uri, count: 5)
    #expect(try session.settles { try session.shown(Self.mail) == 5 })
    try session.call("Dismiss", .string(Self.mail))
    try app.announce(Self.uri, count: 5)
    try app.announce("application://org.example.chat", count: 1)
    #expect(try session.settles { try session.shown("org.example.chat") == 1 })
    #expect(try session.badge(Self.mail) == nil)
    try app.announce(Self.uri, count: 6)
    #expect(try session.settles { try session.shown(Self.mail) == 6 })
  }

  @Test("outlive a crash of badged while their sender lives, though that says nothing again")
  func restart() throws {
    let session = try LauncherSession()
    let silent = try session.peer()
    let leaving = try session.peer()
    try silent.announce(Self.uri, [("count", .int32(7)), ("urgent", .boolean(true))])
    try leaving.announce("application://org.example.chat.desktop", count: 4)
    #expect(try session.settles { try session.shown(Self.mail) == 7 })
    #expect(try session.settles { try session.shown("org.example.chat") == 4 })
    session.daemon.send(signal: SIGKILL)
    try session.daemon.wait()
    leaving.connection.close()
    try session.restartDaemon()
    #expect(try session.shown(Self.mail) == 7)
    #expect(try session.badge(Self.mail)?["urgent"] == .boolean(true))
    #expect(try session.badge("org.example.chat") == nil)
    silent.connection.close()
    #expect(try session.settles { try session.badge(Self.mail) == nil })
  }

  @Test("of a flood are bounded, logged once, and keep nobody else out")
  func flood() throws {
    let session = try LauncherSession()
    let flooder = try session.peer()
    var deep = Value.string("deep")
    for _ in 0..<30 { deep = .variant(deep) }
    let huge = (0..<2_000).map { ("key\($0)", deep) }
    for number in 0..<10_000 {
      try flooder.announce("application://invented\(number).desktop", count: 1)
    }
    try flooder.announce(Self.uri, huge)
    for number in 1...5_000 {
      try flooder.announce("application://invented1", count: Int64(number))
    }
    try session.call("Set", .string("mine"), .int64(1))
    let app = try session.peer()
    try app.announce(Self.uri, count: 2)
    #expect(try session.settles { try session.shown(Self.mail) == 2 })
    #expect(try session.settles { try session.shown("invented1") == 5_000 })
    #expect(try session.shown("mine") == 1)
    let lines = session.daemon.errorOutput.split(separator: "\n").filter {
      $0.contains(flooder.name)
    }
    #expect(lines.count == 1, "\(lines)")
    let resident = try #require(Self.residentKilobytes(session.daemon.processID))
    #expect(resident < 64 * 1024 || Sanitizer.isPresent)
    flooder.connection.close()
    #expect(try session.settles { try session.badge("invented1") == nil })
    #expect(try session.shown(Self.mail) == 2)
  }

  @Test("are 1,024 at most, and leave native badges their room")
  func limits() throws {
    let session = try LauncherSession()
    let apps = try (0..<9).map { _ in try session.peer() }
    for (number, app) in apps.enumerated() {
      for index in 0..<128 { try app.announce("app-\(number)-\(index)", count: 1) }
    }
    #expect(try session.settles { try session.badgeCount() == 1_024 })
    try session.call("Set", .string("mine"), .int64(1))
    #expect(try session.badgeCount() == 1_025)
    apps[0].connection.close()
    #expect(try session.settles { try session.badgeCount() == 1_025 - 128 })
    try apps[8].announce("app-8-0", count: 7)
    #expect(try session.settles { try session.shown("app-8-0") == 7 })
  }

  @Test("that were removed leave their room to others")
  func removedLeaveRoom() throws {
    let session = try LauncherSession()
    let app = try session.peer()
    for index in 0..<128 { try app.announce("a-\(index)", count: 1) }
    #expect(try session.settles { try session.badgeCount() == 128 })
    try session.call("RemoveAll")
    #expect(try session.badgeCount() == 0)
    for index in 0..<128 { try app.announce("b-\(index)", count: 1) }
    #expect(try session.settles { try session.badgeCount() == 128 })
    try app.announce("a-0", count: 2)
    try app.announce("b-0", count: 3)
    #expect(try session.settles { try session.shown("b-0") == 3 })
    #expect(try session.badge("a-0") == nil)
    try session.restartDaemon()
    #expect(try session.settles { try session.badgeCount() == 128 })
  }

  private static func residentKilobytes(_ process: CInt) -> Int? {
    contents(ofFile: "/proc/\(process)/status")?.split(separator: "\n").lazy
      .compactMap { $0.hasPrefix("VmRSS:") ? Int($0.split(separator: " ")[1]) : nil }.first
  }
}

// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

@Suite(.privateBus) struct DaemonRestartTests {
  let bus = PrivateBus.current
  static let properties = InterfaceName(constant: "org.freedesktop.DBus.Properties")

  private func set(_ client: BusClient, _ property: String, _ value: Value) throws {
    try client.call(
      "Set",
      .string("org.badged.Badges1"),
      .string(property),
      .variant(value),
      interface: Self.properties
    )
  }

  @Test("Killed at any moment it has the same badges again, and replays nothing")
  func killed() throws {
    let first = try bus.startDaemon(["--no-unity-name"])
    let client = try BusClient()
    try client.call(
      "Update",
      .string("mail"),
      .namedValues([
        ("count", .int64(1_200)), ("preset", .string("counter")), ("urgent", .boolean(true)),
        ("description", .string("unread")), ("progress", .double(0.5)), ("max", .int64(99)),
      ])
    )
    try client.call("SetSource", .string("mail"), .string("work"), .int64(4))
    try client.call("SetText", .string("build"), .string("v2"))
    try client.call("SetDot", .string("news"))
    try client.call("Set", .string("gone"), .int64(1))
    try client.call("Dismiss", .string("gone"))
    try set(client, "Animations", .boolean(false))
    try set(client, "Quiet", .boolean(true))
    let before = try client.list().badges
    first.send(signal: SIGKILL)
    _ = try first.wait()

    let second = try bus.startDaemon(["--no-unity-name"])
    let seen = client.signals.count
    let (revision, badges) = try client.list()
    #expect(revision == 0)
    #expect(badges == before)
    #expect(try client.property("Animations") == .boolean(false))
    #expect(try client.property("Quiet") == .boolean(true))
    #expect(try client.property("Durable") == .boolean(true))
    #expect(client.signals.count == seen)
    // The dismissed value is remembered too.
    try client.call("Set", .string("gone"), .int64(1))
    #expect(try client.list().badges["gone"]?["dismissed"] == .boolean(true))
    second.terminate()
  }

  @Test("Time goes on while it is away")
  func timeToLive() throws {
    let first = try bus.startDaemon(["--no-unity-name"])
    let client = try BusClient()
    for (id, seconds) in [("long", 3_600.0), ("short", 0.3)] {
      try client.call(
        "Update",
        .string(id),
        .namedValues([("count", .int64(1)), ("ttl", .double(seconds))])
      )
    }
    #expect(first.terminate() == .success)
    let begin = Instant.now()
    #expect(eventually { Instant.now() - begin > .milliseconds(310) })
    let second = try bus.startDaemon(["--no-unity-name"])
    let badges = try client.list().badges
    #expect(badges.keys.sorted() == ["long"])
    guard case .double(let left) = badges["long"]?["ttl"] else {
      Issue.record("no ttl")
      return
    }
    #expect(left > 3_500 && left < 3_600)
    second.terminate()
  }

  @Test("A badge stays with its process over a restart, and goes with it, also while it is away")
  func processes() throws {
    let first = try bus.startDaemon(["--no-unity-name"])
    let client = try BusClient()
    let stays = try SpawnedProcess("sleep", ["1000"])
    let goes = try SpawnedProcess("sleep", ["1000"])
    for (id, process) in [("stays", stays), ("goes", goes)] {
      try client.call(
        "Update",
        .string(id),
        .namedValues([
          ("count", .int64(1)), ("while-pid", .uint32(UInt32(process.processID))),
        ])
      )
    }
    #expect(first.terminate() == .success)
    goes.terminate()
    let second = try bus.startDaemon(["--no-unity-name"])
    #expect(try client.list().badges.keys.sorted() == ["stays"])
    let seen = client.signals.count
    stays.terminate()
    let signals = try client.take(seen + 1)
    #expect(signals.last?.reason == "owner-gone")
    second.terminate()
  }

  @Test("A state that is damaged is kept aside and said, and it serves from empty")
  func damaged() throws {
    let first = try bus.startDaemon(["--no-unity-name"])
    let client = try BusClient()
    try client.call("Set", .string("mail"), .int64(3))
    #expect(first.terminate() == .success)
    try bus.directory.write("not a database at all", to: "state/badges.db")
    let second = try bus.startDaemon(["--no-unity-name"])
    #expect(second.errorOutput.contains("damaged"))
    #expect(try client.list().badges.isEmpty)
    try client.call("Set", .string("mail"), .int64(4))
    #expect(try client.property("Durable") == .boolean(true))
    second.terminate()
  }

  @Test("A file that somebody removes is written anew")
  func removed() throws {
    let daemon = try bus.startDaemon(["--no-unity-name"])
    let client = try BusClient()
    try client.call("Set", .string("mail"), .int64(3))
    for name in ["badges.db", "badges.db-wal", "badges.db-shm"] {
      _ = unsafe unlink(bus.directory.appending("state/\(name)"))
    }
    try client.call("Set", .string("news"), .int64(4))
    // Found out by the sync, within a second, and made good two seconds later.
    #expect(eventually { contents(ofFile: bus.directory.appending("state/badges.db")) != nil })
    #expect(eventually { (try? client.property("Durable")) == .boolean(true) })
    daemon.send(signal: SIGKILL)
    _ = try daemon.wait()
    let next = try bus.startDaemon(["--no-unity-name"])
    #expect(try client.list().badges.keys.sorted() == ["mail", "news"])
    next.terminate()
  }
}

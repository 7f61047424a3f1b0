// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import Glibc
import Testing
import TestSupport

@Suite(.privateBus) struct DaemonReplaceTests {
  let bus = PrivateBus.current

  private func replacement(_ options: [String] = []) throws -> SpawnedProcess {
    try bus.startDaemon(["--no-unity-name", "--replace"] + options)
  }

  @Test("The new one has the badges, and the old one ends with status 0")
  func takesOver() throws {
    let old = try bus.startDaemon(["--no-unity-name"])
    let client = try BusClient()
    try client.call("SetText", .string("build"), .string("v2"))
    try client.call(
      "Update",
      .string("mail"),
      .namedValues([("count", .int64(3)), ("urgent", .boolean(true))])
    )
    let new = try replacement()
    #expect(try old.wait() == .success)
    #expect(old.errorOutput.contains("another daemon takes over"))
    let (revision, badges) = try client.list()
    #expect(revision == 0)
    #expect(badges["build"]?["text"] == .string("v2"))
    #expect(badges["mail"]?["urgent"] == .boolean(true))
    #expect(new.terminate() == .success)
  }

  @Test("Without another to replace it starts like any")
  func startsAlone() throws {
    let daemon = try replacement()
    #expect(try BusClient().list().badges.isEmpty)
    #expect(daemon.terminate() == .success)
  }

  @Test("A state that is not given up in time ends the new one")
  func stateIsKept() throws {
    let other = try PrivateBus()
    defer { other.stop() }
    let holder = try other.spawn(
      productPath("badged"),
      ["--no-unity-name", "--state", bus.directory.appending("state")]
    )
    try holder.waitForLine(containing: "serving", from: .error)
    let new = try bus.spawn(
      productPath("badged"),
      ["--no-unity-name", "--replace", "--state", bus.directory.appending("state")]
    )
    #expect(try new.wait(within: .seconds(60)) == .exited(1))
    #expect(new.errorOutput.contains("in use by process \(holder.processID)"))
    #expect(holder.terminate() == .success)
  }

  @Test(
    "A folder that can't be used ends the new one, before it replaces any",
    arguments: [[], ["--replace"]]
  )
  func unusableFolder(options: [String]) throws {
    let file = bus.directory.appending("file")
    #expect(try bus.run("sh", ["-c", ": >\(file)"]).status == .success)
    let old = options.isEmpty ? nil : try bus.startDaemon(["--no-unity-name"])
    for (folder, problem) in [
      (file, "'\(file)' can't be used: not a directory"),
      (file + "/below", "'\(file)/below' can't be used: mkdir: Not a directory"),
    ] {
      let new = try bus.run(productPath("badged"), options + ["--state", folder])
      #expect(new.status == .exited(1))
      #expect(new.errorOutput == "badged: --state: \(problem)\n")
    }
    let hasOwner = try Connection(address: bus.address).hasOwner(BusClient.name)
    #expect(hasOwner == (old != nil))
    if let old { #expect(old.terminate() == .success) }
  }

  @Test("The folder of a person who named none is used from memory while it can't be")
  func unusableDefault() throws {
    let file = bus.directory.appending("file")
    #expect(try bus.run("sh", ["-c", ": >\(file)"]).status == .success)
    var environment = bus.environment
    environment["XDG_STATE_HOME"] = file
    let daemon = try SpawnedProcess(
      productPath("badged"),
      ["--no-unity-name"],
      environment: environment
    )
    try daemon.waitForLine(containing: "serving", from: .error)
    #expect(daemon.errorOutput.contains("changes are kept in memory only: '\(file)/badged' can't"))
    #expect(try bus.badgectl("status").output.contains("durable     no"))
    #expect(daemon.terminate() == .success)
  }

  @Test("A stranger that has the name and keeps it is not replaced")
  func strangers() throws {
    let stranger = try Connection(address: bus.address)
    #expect(try stranger.requestName(BusClient.name) == .primaryOwner)
    let finished = try bus.run(
      productPath("badged"),
      ["--replace", "--state", bus.directory.appending("state")]
    )
    #expect(finished.status == .exited(1))
    #expect(finished.errorOutput.contains("can't be replaced"))
  }
}

/// A daemon that takes over from another.
@Suite(.privateBus) struct ReplaceTests {
  @Test("Daemons that take over from each other under load answer every call and lose nothing")
  func underLoad() throws {
    let bus = PrivateBus.current
    let load = try Load(on: bus, seed: 7)
    var daemon = try bus.startDaemon()
    try load.run(for: .milliseconds(30))
    for _ in 0..<6 {
      let before = load.acknowledged
      let next = try bus.spawnDaemon(["--replace"])
      #expect(try load.loop.run { daemon.status != nil || !next.isRunning })
      #expect(daemon.status == .success, "\(daemon.errorOutput)\n\(next.errorOutput)")
      // The new daemon first answers the calls that arrived while it waited for the old one.
      #expect(try load.loop.run { load.acknowledged > before + 500 })
      #expect(next.isRunning)
      #expect(!next.errorOutput.contains("memory"))
      daemon = next
    }
    try load.drain()
    #expect(load.clients.flatMap(\.errors) == [])
    #expect(try load.check() == 0)
    #expect(load.faults == [])
    print("replace: 6 hand-overs, \(load.acknowledged) changes acknowledged, none lost")
    #expect(daemon.terminate() == .success)
  }

  @Test("A daemon that hangs is not waited for longer than five seconds, and keeps what it has")
  func hanging() throws {
    let bus = PrivateBus.current
    let daemon = try bus.startDaemon()
    #expect(try bus.badgectl("set", "mail", "3").status == .success)
    daemon.send(signal: SIGSTOP)
    let begin = Instant.now()
    let next = try bus.spawnDaemon(["--replace"])
    #expect(try next.wait(within: .seconds(60)) == .exited(1))
    #expect(Instant.now() - begin >= .milliseconds(4_900))
    #expect(next.errorOutput.contains("is in use by process \(daemon.processID)"))
    daemon.send(signal: SIGCONT)
    // It exits because it lost its name.
    #expect(try daemon.wait() == .success)
    let last = try bus.startDaemon()
    #expect(try bus.badgectl("get", "mail").output == "3\n")
    #expect(last.terminate() == .success)
  }
}

// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore
import DBus
import Glibc
import TestSupport
import Testing

/// The client against the real daemon.
@Suite(.privateBus) struct BadgeClientTests {
  private func startDaemon() throws -> SpawnedProcess {
    let bus = PrivateBus.current
    let daemon = try bus.spawn(
      productPath("badged"),
      ["--no-unity-name", "--state", bus.directory.appending("state")]
    )
    try daemon.waitForLine(containing: "serving", from: .error)
    return daemon
  }

  @Test("Every request does what it says")
  func requests() throws {
    let daemon = try startDaemon()
    defer { daemon.terminate() }
    let client = try BadgeClient(address: PrivateBus.current.address)
    try client.set("mail", to: 3)
    try client.set("mail", source: "work", to: 4)
    #expect(try client.increment("mail") == 8)
    #expect(try client.increment("mail", source: "home", by: 2) == 10)
    #expect(try client.decrement("mail", by: 10) == 6)
    #expect(try client.decrement("mail", source: "work", by: 1) == 5)
    try client.update(
      "mail",
      [
        (.urgent, .boolean(true)), (.max, .integer(3)), (.offsetX, .double(1.5)),
        (.background, .string("#09f")),
        (.sources, .sources([SourceEntry(name: "home", value: .integer(0))])),
      ]
    )
    let mail = try client.get("mail")
    #expect(mail.kind == "number")
    #expect(mail.count == 3)
    #expect(mail.label == "3")
    #expect(mail.isVisible && mail.isUrgent)
    #expect(mail.background == "#0099FF")
    #expect(mail.double(.offsetX) == 1.5)
    #expect(mail.sources.map(\.name) == ["work"])
    try client.acknowledge("mail")
    #expect(try client.get("application://mail.desktop").isUrgent == false)

    try client.set("text", to: "on air")
    try client.setDot("dot")
    #expect(try client.list().badges.map(\.id.rawValue) == ["dot", "mail", "text"])
    try client.clear("text")
    #expect(try client.get("text").kind == "number")
    try client.dismiss("dot")
    try client.remove("text")
    #expect(try client.list().badges.map(\.id.rawValue) == ["mail"])
    #expect(try client.removeAll() == 1)
  }

  @Test("The daemon's properties are read and written")
  func status() throws {
    let daemon = try startDaemon()
    defer { daemon.terminate() }
    let client = try BadgeClient(address: PrivateBus.current.address)
    try client.set("mail", to: 3)
    try client.setAnimations(false)
    var status = try client.status()
    #expect(status.version == BadgedVersion.current)
    #expect(status.processID == UInt32(daemon.processID))
    #expect(status.started > 1_700_000_000)
    #expect(status.statePath.hasSuffix("/state"))
    #expect(status.isDurable)
    #expect((status.total, status.visible) == (3, 1))
    #expect(!status.animations && !status.isAnimating && !status.isQuiet)
    try client.setQuiet(until: 4_000_000_000)
    status = try client.status()
    #expect(status.isQuiet && status.quietUntil == 4_000_000_000)
    try client.setQuiet(false)
    #expect(try client.status().isQuiet == false)
    try client.setQuiet(true)
    #expect(try client.status().isQuiet)
  }

  @Test("Errors say what to think of them")
  func errors() throws {
    let client = try BadgeClient(address: PrivateBus.current.address)
    do throws(ClientError) {
      try client.set("mail", to: 3)
      Issue.record("there is no daemon")
    } catch {
      guard case .noDaemon = error else { throw error }
    }
    let daemon = try startDaemon()
    defer { daemon.terminate() }
    #expect(throws: ClientError.noSuchBadge(message: "no such badge: 'mail'")) {
      try client.get("mail")
    }
    do throws(ClientError) {
      try client.set("a/b", to: 3)
      Issue.record("that is no id")
    } catch {
      guard case .refused(let name, _) = error else { throw error }
      #expect(name == "org.badged.Badges1.Error.InvalidId")
    }
    do throws(ClientError) {
      try client.set("a\0b", to: 3)
      Issue.record("that is no id")
    } catch {
      guard case .refused = error else { throw error }
    }
    do throws(ClientError) {
      _ = try BadgeClient(address: "unix:path=/nonexistent")
      Issue.record("there is no bus")
    } catch {
      guard case .noBus(address: "unix:path=/nonexistent", _) = error else { throw error }
    }
  }

  @Test("A daemon that hangs is not one that is not there, nor one that went away")
  func hangs() throws {
    let daemon = try startDaemon()
    let client = try BadgeClient(address: PrivateBus.current.address)
    client.timeout = .milliseconds(200)
    try client.set("mail", to: 3)
    daemon.send(signal: SIGSTOP)
    #expect(throws: ClientError.noAnswer(within: .milliseconds(200))) { try client.get("mail") }
    daemon.send(signal: SIGCONT)
    client.timeout = .seconds(25)
    #expect(try client.get("mail").count == 3)
    daemon.send(signal: SIGSTOP)
    let killer = try SpawnedProcess("sh", ["-c", "kill -KILL \(daemon.processID)"])
    do throws(ClientError) {
      _ = try client.get("mail")
      Issue.record("there is no daemon")
    } catch {
      guard case .noDaemon = error else { throw error }
    }
    try killer.wait()
    try daemon.wait()
  }

  @Test("A bus that lets nobody in is no bus")
  func refusedConnections() throws {
    let bus = try PrivateBus(configuration: "<limit name=\"max_connections_per_user\">1</limit>")
    defer { bus.stop() }
    let first = try Connection(address: bus.address)
    defer { first.close() }
    for refused: (BadgeClient) throws -> Void in [
      { try $0.set("mail", to: 3) }, { _ = try $0.status() }, { _ = try $0.events() },
    ] {
      let client = try BadgeClient(address: bus.address)
      do {
        try refused(client)
        Issue.record("the bus took a second connection")
      } catch let error as ClientError {
        guard case .noBus(address: bus.address, _) = error else { throw error }
      }
    }
  }

  @Test("Events are iterated over, across a restart of the daemon, until the bus goes")
  func events() throws {
    var daemon = try startDaemon()
    let bus = PrivateBus.current
    let setter = try BadgeClient(address: bus.address)
    try setter.set("mail", to: 3)
    let client = try BadgeClient(address: bus.address)
    let events = try client.events(of: ["mail"])
    guard case .snapshot(let list)? = events.next() else { throw TestFailure("no state") }
    #expect(list.badges.map(\.count) == [3])
    try setter.set("mail", to: 4)
    guard case .changed(let badge, let animation, _)? = events.next() else {
      throw TestFailure("no change")
    }
    #expect(badge.count == 4)
    #expect(animation.name == "bounce")
    daemon.terminate()
    #expect(events.next() == .away)
    daemon = try startDaemon()
    guard case .snapshot(let restored)? = events.next() else { throw TestFailure("no state") }
    #expect(restored.badges.map(\.count) == [4])
    daemon.terminate()
    #expect(events.next() == .away)
    bus.stop()
    #expect(events.next() == .disconnected)
    #expect(events.next() == nil)
  }

  @Test("Events are dispatched by a program that polls the descriptor itself")
  func dispatchesEvents() throws {
    let daemon = try startDaemon()
    defer { daemon.terminate() }
    let bus = PrivateBus.current
    let client = try BadgeClient(address: bus.address)
    let events = try client.events()
    var received = events.dispatch()
    func poll(until count: Int) {
      let start = ContinuousClock.now
      while received.count < count, ContinuousClock.now - start < .seconds(20) {
        var entry = pollfd(fd: events.fileDescriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe Glibc.poll(&entry, 1, 1_000)
        received += events.dispatch()
      }
    }
    poll(until: 1)
    guard case .snapshot? = received.first else { throw TestFailure("no state: \(received)") }
    // A request on the same connection receives the signal too, before or after its reply.
    try client.set("mail", to: 3)
    received += events.dispatch()
    poll(until: 2)
    guard case .changed(let badge, _, _)? = received.last else { throw TestFailure("no change") }
    #expect(badge.count == 3)
    #expect(events.next(timeout: .milliseconds(10)) == nil)
    #expect(!events.hasEnded)
    bus.stop()
    poll(until: 3)
    while !events.hasEnded, received.count < 5 { poll(until: received.count + 1) }
    #expect(received.last == .disconnected)
    #expect(events.hasEnded)
    #expect(events.next() == nil)
  }

  @Test("An id that is none cannot be followed")
  func refusesIDs() throws {
    let client = try BadgeClient(address: PrivateBus.current.address)
    #expect(throws: ClientError.self) { _ = try client.events(of: ["a/b"]) }
  }
}

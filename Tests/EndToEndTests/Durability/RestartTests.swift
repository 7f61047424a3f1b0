// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore
import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

/// A way for one daemon to follow another.
enum Succession: CaseIterable {
  case terminated, killed, replaced

  /// Ends `daemon` and starts another.
  func carryOut(_ daemon: SpawnedProcess, on bus: PrivateBus) throws -> SpawnedProcess {
    switch self {
    case .terminated:
      daemon.send(signal: SIGTERM)
      guard try daemon.wait() == .success else { throw TestFailure(daemon.errorOutput) }
    case .killed:
      daemon.send(signal: SIGKILL)
      try daemon.wait()
    case .replaced:
      let next = try bus.startDaemon(["--replace"])
      guard try daemon.wait() == .success else { throw TestFailure(daemon.errorOutput) }
      return next
    }
    return try bus.startDaemon()
  }
}

/// What is the same after a daemon was followed by another.
@Suite(.privateBus) struct RestartTests {
  private let bus = PrivateBus.current

  @discardableResult
  private func done(_ words: String...) throws -> String {
    let run = try bus.run(productPath("badgectl"), words)
    guard run.status == .success else { throw TestFailure("\(words): \(run.errorOutput)") }
    return run.output
  }

  /// Makes badges of which every kind of key and every way to be differs from the default.
  private func fill() throws {
    try done("set", "mail", "2", "--urgent", "--max", "9", "--description", "two \"é\" 👍")
    try done("set", "mail", "3", "--source", "work")
    try done("set", "mail", "4", "--source", "home")
    try done("set", "text", "on air", "--background", "#0123ABCD", "--foreground", "#fff")
    try done("set", "text", "4", "--source", "under it")
    try done("set", "dot", "--dot", "--preset", "counter", "--progress", "0.25")
    try done("set", "zero", "0", "--show-zero", "--no-dismissable", "--icon", "mail-unread")
    try done("set", "minus", "-7")
    try done("set", "big", "9007199254740991", "--no-animate", "--animation-appear", "spring")
    try done("set", "style", "--font", "Sans", "--font-size", "9.5", "--offset-x", "-3.25")
    try done("set", "back", "5", "--anchor", "center")
    try done("dismiss", "back")
    try done("set", "back", "5")
    try done("set", "gone", "6", "--padding", "1")
    try done("dismiss", "gone")
    try done("set", "removed", "1")
    try done("rm", "removed")
    try done("animations", "off")
  }

  @Test("All badges and settings are the same after a restart", arguments: Succession.allCases)
  func restarts(succession: Succession) throws {
    var daemon = try bus.startDaemon()
    try fill()
    let listed = try done("list", "--all", "--json")
    let exported = try done("export")
    let follower = try SignalFollower(on: bus)
    // Whoever sees the name sees the badges, however early they ask.
    var early: Int?
    follower.nameAppeared = { connection in
      let list = MethodCall(
        destination: BusName(constant: "org.badged.Badges1"),
        path: ObjectPath(constant: "/org/badged/Badges1"),
        interface: nil,
        member: MemberName(constant: "List")
      )
      _ = try? connection.call(list) { reply in
        guard case .dictionary(_, _, let badges)? = try? reply.get().values().last else { return }
        early = badges.count
      }
    }
    daemon = try succession.carryOut(daemon, on: bus)
    #expect(try done("list", "--all", "--json") == listed)
    #expect(try done("export") == exported)
    #expect(try done("status").contains("\nanimations  off\n"))
    #expect(try follower.loop.run { early != nil })
    #expect(early == 8)
    #expect(follower.heard == [])

    // A dismissed badge that was absent is remembered with its style and its value.
    try done("set", "gone", "6")
    #expect(try done("get", "gone", "dismissed") == "true\n")
    #expect(try done("get", "gone", "padding") == "1\n")
    try done("set", "back", "6")
    #expect(try done("get", "back", "visible") == "true\n")
    try done("inc", "mail", "--source", "work")
    #expect(try follower.waits(for: 3))
    #expect(follower.heard.map(\.id) == ["gone", "back", "mail"])
    #expect(follower.heard.map(\.event) == ["none", "appear", "attention"])
    #expect(follower.heard.map(\.revision) == [1, 2, 3])
    #expect(daemon.terminate() == .success)
  }

  @Test("A time to live, and do-not-disturb, go on over a restart", arguments: Succession.allCases)
  func timeToLive(succession: Succession) throws {
    var daemon = try bus.startDaemon()
    let follower = try SignalFollower(on: bus)
    let begin = Instant.now()
    try done("set", "soon", "1", "--ttl", "4")
    try done("set", "late", "1", "--ttl", "500")
    try done("set", "stays", "1", "--ttl", "500")
    try done("set", "stays", "--ttl", "0")
    let client = try BadgeClient(address: bus.address)
    let until = try client.status().started + 3_600
    try client.setQuiet(until: until)
    let before = try client.get("late").double(.ttl)
    daemon = try succession.carryOut(daemon, on: bus)
    let after = try client.get("late").double(.ttl)
    #expect(after <= before && after > before - 60)
    #expect(try client.get("stays").double(.ttl) == 0)
    let status = try client.status()
    #expect(status.isQuiet && status.quietUntil == until && status.isDurable)
    #expect(try follower.loop.run { follower.heard.last?.member == "Removed" })
    #expect(Instant.now() - begin >= .seconds(4))
    #expect(follower.heard.last?.id == "soon")
    #expect(follower.heard.last?.reason == "expired")
    #expect(try client.list().badges.map(\.id.rawValue) == ["late", "stays"])
    #expect(daemon.terminate() == .success)
  }

  @Test("What expires while no daemon runs is gone when the next one starts")
  func expiredMeanwhile() throws {
    var daemon = try bus.startDaemon()
    try done("set", "soon", "1", "--ttl", "0.3")
    let over = Instant.now() + .milliseconds(310)
    try done("set", "mail", "1")
    daemon.send(signal: SIGKILL)
    try daemon.wait()
    #expect(eventually { Instant.now() >= over })
    daemon = try bus.startDaemon()
    #expect(try done("list") == "mail\t1\tnumber\t1\ttrue\n")
    #expect(daemon.terminate() == .success)
  }

  @Test("A badge lives with its process over a restart", arguments: Succession.allCases)
  func whileProcess(succession: Succession) throws {
    var daemon = try bus.startDaemon()
    let stays = try SpawnedProcess("sleep", ["1000"], environment: bus.environment)
    let ends = try SpawnedProcess("sleep", ["1000"], environment: bus.environment)
    try done("set", "stays", "1", "--while-pid", "\(stays.processID)")
    try done("set", "ends", "1", "--while-pid", "\(ends.processID)")
    try done("set", "both", "2", "--while-pid", "\(ends.processID)")
    try done("set", "both", "--while-pid", "0")
    let follower = try SignalFollower(on: bus)
    if succession == .replaced {
      daemon = try succession.carryOut(daemon, on: bus)
      ends.terminate()
      #expect(try follower.waits(for: 1))
      #expect(follower.heard.first?.reason == "owner-gone")
    } else {
      // It ends while no daemon sees it.
      daemon.send(signal: SIGSTOP)
      ends.terminate()
      daemon.send(signal: SIGKILL)
      try daemon.wait()
      daemon = try bus.startDaemon()
      daemon = try succession.carryOut(daemon, on: bus)
    }
    #expect(try done("list") == "both\t2\tnumber\t2\ttrue\nstays\t1\tnumber\t1\ttrue\n")
    stays.terminate()
    #expect(try follower.loop.run { follower.heard.last?.id == "stays" })
    #expect(follower.heard.last?.member == "Removed")
    #expect(follower.heard.last?.reason == "owner-gone")
    #expect(try done("list") == "both\t2\tnumber\t2\ttrue\n")

    let refused = try bus.badgectl("set", "late", "1", "--while-pid", "\(ends.processID)")
    #expect(refused.status == .exited(1))
    #expect(refused.errorOutput.contains("while-pid"))
    #expect(try bus.badgectl("get", "late").status == .exited(3))
    #expect(daemon.terminate() == .success)
  }
}

// SPDX-License-Identifier: MIT
import EventLoop
import Glibc
import TestSupport
import Testing

/// One daemon takes over from another.
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
      // The new one answers, what came to it while it waited for the old one first.
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
    #expect(try next.wait(within: .seconds(15)) == .exited(1))
    #expect(Instant.now() - begin >= .milliseconds(4_900))
    #expect(next.errorOutput.contains("is in use by process \(daemon.processID)"))
    daemon.send(signal: SIGCONT)
    // Its name is gone, and with it the reason to go on.
    #expect(try daemon.wait() == .success)
    let last = try bus.startDaemon()
    #expect(try bus.badgectl("get", "mail").output == "3\n")
    #expect(last.terminate() == .success)
  }
}

// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

/// A short life of the daemon under valgrind.
@Suite(.privateBus) struct LeakTests {
  @Test("valgrind finds no leak and no bad access in a daemon that is busy, refuses and ends")
  func shortLife() throws {
    let bus = PrivateBus.current
    let daemon = try bus.spawn(
      "valgrind",
      [
        "--quiet", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=definite",
        "--errors-for-leak-kinds=definite", try productPath("badged"), "--state", bus.statePath,
      ]
    )
    try daemon.waitForLine(containing: "badged: serving", from: .error, within: .seconds(60))
    let load = try Load(on: bus, clients: 2, seed: 3)
    for client in load.clients { client.window = 20 }
    try load.run(for: .milliseconds(500))
    try load.drain()
    #expect(try load.check() == 0)
    #expect(load.faults == [])
    for words in [
      ["set", "brief", "3", "--ttl", "0.1", "--preset", "counter"], ["set", "mail", "4"],
      ["dismiss", "mail"], ["list", "--all"], ["export"], ["status"], ["rm", "--all"],
    ] {
      #expect(try bus.run(productPath("badgectl"), words).status == .success)
    }
    #expect(try bus.badgectl("rm", "absent").status == .exited(3))
    #expect(try bus.badgectl("set", "mail", "1", "--max", "-1").status != .success)
    daemon.send(signal: SIGTERM)
    #expect(try daemon.wait(within: .seconds(60)) == .success, "\(daemon.errorOutput)")
  }
}

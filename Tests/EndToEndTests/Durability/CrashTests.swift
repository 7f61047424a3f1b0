// SPDX-License-Identifier: MIT
import EventLoop
import Glibc
import Testing
import TestSupport

/// The daemon is killed at random moments under load.
///
/// `CRASH_KILLS` sets the number of kills and `CRASH_SEED` repeats a run; see `make test-crash`.
@Suite(.privateBus) struct CrashTests {
  private static func number(_ variable: String) -> UInt64? {
    unsafe getenv(variable).flatMap { unsafe UInt64(String(cString: $0)) }
  }

  /// When the daemon is killed.
  private enum Moment {
    /// While it starts, this long after its process was started.
    case start(Duration)
    /// This long after the load began.
    case load(Duration)
    /// While another takes over under load, this long after that one was started; both are killed.
    case handOver(Duration)

    static func random(using random: inout SeededGenerator) -> Moment {
      switch Int.random(in: 0..<20, using: &random) {
      case 0...2: .start(.microseconds(Int.random(in: 0..<30_000, using: &random)))
      // Long enough for the file to be synced and its log to be emptied meanwhile.
      case 3: .load(.milliseconds(Int.random(in: 850..<1_200, using: &random)))
      case 4...5: .handOver(.microseconds(Int.random(in: 0..<200_000, using: &random)))
      default: .load(.microseconds(Int.random(in: 0..<60_000, using: &random)))
      }
    }
  }

  @Test("What was acknowledged before a kill is there after it, in the order of the calls")
  func killed() throws {
    let kills = Self.number("CRASH_KILLS") ?? 8
    let seed = Self.number("CRASH_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    print("crash: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let bus = PrivateBus.current
    // The release daemon is faster, so it has more work in progress at each kill.
    let program = try Project.programs() + "/badged"
    let load = try Load(on: bus, seed: seed)
    var lost = 0
    var daemon = try bus.startDaemon(program: program)
    var done: UInt64 = 0
    for kill in 1...kills {
      let moment = Moment.random(using: &random)
      for client in load.clients { client.window = Int.random(in: 1...200, using: &random) }
      switch moment {
      case .load(let delay):
        try load.run(for: delay)
      case .handOver(let delay):
        try load.run(for: .milliseconds(10))
        let next = try bus.spawnDaemon(["--replace"], program: program)
        try load.turn(for: delay)
        next.send(signal: SIGKILL)
        try next.wait()
      case .start(let delay):
        daemon.send(signal: SIGKILL)
        try daemon.wait()
        daemon = try bus.spawnDaemon(program: program)
        try load.turn(for: delay)
      }
      daemon.send(signal: SIGKILL)
      // A replaced daemon may have exited before.
      let status = try daemon.wait()
      #expect(status == .signalled(SIGKILL) || status == .success)
      // Calls still queued on the bus must not reach the next daemon.
      try load.drain()
      daemon = try bus.startDaemon(program: program)
      let missing = try load.check()
      lost += missing
      done = kill
      #expect(missing == 0, "seed \(seed), kill \(kill), \(moment)")
      #expect(!daemon.errorOutput.contains("damaged") && !daemon.errorOutput.contains("memory"))
      if !load.faults.isEmpty || missing > 0 { break }
    }
    #expect(load.faults == [], "seed \(seed)")
    #expect(load.acknowledged > 0)
    #expect(daemon.terminate() == .success)
    print("crash: \(done) kills, \(load.acknowledged) changes acknowledged, \(lost) lost")
  }
}

/// A short run of the daemon under valgrind.
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
    try daemon.waitForLine(containing: "badged: serving", from: .error)
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
    #expect(try daemon.wait(within: .seconds(120)) == .success, "\(daemon.errorOutput)")
  }
}

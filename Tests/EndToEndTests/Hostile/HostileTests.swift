// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import Glibc
import Testing
import TestSupport

/// Peers that do all the harm that the bus permits.
///
/// After each attack the daemon is the same process, answers correctly, and uses no more resources.
@Suite("Under attack", .privateBus) struct HostileTests {
  private let siege: Siege

  init() throws {
    siege = try Siege()
  }

  @Test("Messages of any kind, to everything there is, do nothing that they should not")
  func random() throws {
    let options: KeyValuePairs = ["seed": 7 * Siege.scale, "seconds": 3 * Siege.scale]
    let report = try siege.attack("random", options)
    #expect(report["thrown_out"] == 0)
    #expect(report["sent", default: 0] > 500)
    try siege.check("random")
  }

  @Test("Twenty peers that call as fast as they can keep nobody from an answer")
  func flood() throws {
    let attacker = try siege.start("flood", ["peers": 20, "calls": 300 * Siege.scale])
    let wait = try siege.longestWait(during: attacker)
    siege.record("flood: a bystander waited \(wait) at most")
    try siege.finish(attacker, "flood")
    #expect(wait < .seconds(10))
    for peer in 0..<20 {
      #expect(try siege.client.count("flood\(peer)") == Int64(300 * Siege.scale))
    }
    try siege.check("flood")
  }

  @Test("Twenty peers that ask for everything again and again make nothing grow, nor wait")
  func lists() throws {
    for number in 0..<400 {
      let text = Value.string(String(repeating: "t", count: 250))
      let changes = Value.namedValues([("text", text), ("description", text)])
      try siege.client.send("Update", [.string("id\(number)"), changes])
    }
    let base = try siege.figures()
    let attacker = try siege.start("lists", ["peers": 20, "calls": 20 * Siege.scale])
    let wait = try siege.longestWait(during: attacker)
    siege.record("lists: a bystander waited \(wait) at most")
    try siege.finish(attacker, "lists")
    #expect(wait < .seconds(10))
    // 20 × 20 × 400 KiB would be 160 MiB.
    let peak = try siege.figures().peak
    #expect(peak < base.memory + 48 << 10 || Sanitizer.isPresent)
    try siege.check("lists")
  }

  @Test("Peers that come, say something and go leave nothing behind")
  func churn() throws {
    try siege.attack("churn", ["rounds": 300 * Siege.scale])
    try siege.check("churn")
  }

  @Test("Peers that are gone before their replies leave nothing behind")
  func vanish() throws {
    try siege.attack("vanish", ["rounds": 40 * Siege.scale])
    try siege.check("vanish")
  }

  @Test("Subscribers that never read make the daemon neither grow nor wait")
  func deaf() throws {
    let deaf = try siege.start("deaf", ["peers": 4])
    try deaf.waitForLine(containing: "deaf=4")
    try siege.attack("flood", ["peers": 4, "calls": 1_000 * Siege.scale])
    try siege.check("deaf")
    try siege.finish(deaf, "deaf")
  }

  @Test("Messages that bring open files, and huge ones, leave nothing behind")
  func ballast() throws {
    try siege.attack("files", ["rounds": 20 * Siege.scale])
    try siege.check("files")
    try siege.attack("huge", ["bytes": 4 << 20])
    try siege.check("huge", growth: 32)
  }

  @Test("The longest messages there are give their memory back")
  func longest() throws {
    let text = String(repeating: "x", count: 24 << 20)
    for _ in 0..<2 {
      #expect(throws: BusError.self) { try siege.client.call("Set", .string(text), .int64(1)) }
    }
    try siege.check("longest", growth: 8)
  }

  @Test("Answers that nobody asked for, and apps spelt in ever new ways, do nothing")
  func pretend() throws {
    try siege.attack("forge", ["rounds": 200 * Siege.scale])
    try siege.check("forge")
    try siege.attack("spell", ["rounds": 40 * Siege.scale])
    try siege.check("spell")
  }
}

/// Very many changes and clients, with and without valgrind.
///
/// `HOSTILE_CHANGES` makes the run longer; see `make test-hostile`.
@Suite("A long life", .privateBus) struct LongLifeTests {
  private let changes: Int

  init() {
    let variable = unsafe getenv("HOSTILE_CHANGES").map { unsafe String(cString: $0) }
    changes = variable.flatMap { Int($0) } ?? 40_000
  }

  @Test("costs no more memory after the first tenth of it, and no files or match rules")
  func flat() throws {
    let siege = try Siege()
    let step = changes / 10
    try siege.attack("work", ["changes": step])
    let start = try siege.figures().memory
    var highest = start
    for _ in 1..<10 {
      try siege.attack("work", ["changes": step])
      highest = max(highest, try siege.figures().memory)
    }
    siege.record(
      "memory: \(start) KiB after \(step) changes, then at most \(highest) until \(changes)"
    )
    let isFlat = Double(highest) <= Double(start) * 1.05
    #expect(isFlat || Sanitizer.isPresent, "\(start) KiB, then \(highest) KiB")
    try siege.attack("churn", ["rounds": changes / 100])
    try siege.check("memory")
  }

  @Test("has no leak and no bad access in it")
  func clean() throws {
    let siege = try Siege(under: [
      "valgrind", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=definite",
      "--errors-for-leak-kinds=definite",
    ])
    // Valgrind slows the daemon down some thirty times, to two thousand changes a second.
    let count = changes > 100_000 ? changes : changes / 20
    let patience = Duration.seconds(60 + changes / 200)
    try siege.attack("work", ["changes": count], within: patience)
    try siege.attack("churn", ["rounds": changes / 100], within: patience)
    try siege.checkDescriptors("churn")
    try siege.attack("random", ["seed": 3, "seconds": changes > 100_000 ? 60 : 1])
    siege.daemon.send(signal: SIGTERM)
    #expect(try siege.daemon.wait(within: .seconds(120)) == .success, "\(siege.daemon.errorOutput)")
    for line in siege.daemon.errorOutput.split(separator: "\n")
    where line.contains("definitely lost") || line.contains("ERROR SUMMARY") {
      siege.record("valgrind: \(line.drop { $0 != " " }.drop { $0 == " " })")
    }
  }
}

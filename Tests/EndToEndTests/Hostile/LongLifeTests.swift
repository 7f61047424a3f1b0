// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

/// Very many changes and clients, under valgrind and without it.
///
/// `HOSTILE_CHANGES` makes it a long life; see `make test-hostile`.
@Suite("A long life", .privateBus) struct LongLifeTests {
  private let changes: Int

  init() {
    let variable = unsafe getenv("HOSTILE_CHANGES").map { unsafe String(cString: $0) }
    changes = variable.flatMap { Int($0) } ?? 40_000
  }

  @Test("costs no more memory at its end than after a tenth of it")
  func flat() throws {
    let siege = try Siege()
    let step = changes / 10
    try siege.attack("work", ["changes": step])
    let start = try siege.figures().memory
    for _ in 1..<10 { try siege.attack("work", ["changes": step]) }
    let end = try siege.figures().memory
    siege.note("memory: \(start) KiB after \(step) changes, \(end) KiB after \(changes)")
    #expect(Double(end) <= Double(start) * 1.05, "\(start) KiB, then \(end) KiB")
    try siege.attack("churn", ["rounds": changes / 100])
    try siege.check("memory")
  }

  @Test("has no leak and no bad access in it")
  func clean() throws {
    let siege = try Siege(under: [
      "valgrind", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=definite",
      "--errors-for-leak-kinds=definite",
    ])
    // Some thirty times as slow as it is.
    try siege.attack("work", ["changes": changes > 100_000 ? changes : changes / 20])
    try siege.attack("churn", ["rounds": changes / 100])
    try siege.attack("random", ["seed": 3, "seconds": changes > 100_000 ? 60 : 1])
    siege.daemon.send(signal: SIGTERM)
    #expect(try siege.daemon.wait(within: .seconds(120)) == .success, "\(siege.daemon.errorOutput)")
    for line in siege.daemon.errorOutput.split(separator: "\n")
    where line.contains("definitely lost") || line.contains("ERROR SUMMARY") {
      siege.note("valgrind: \(line.drop { $0 != " " }.dropFirst())")
    }
  }
}

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
    siege.note(
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
    // Some thirty times as slow as it is: two thousand changes a second.
    let count = changes > 100_000 ? changes : changes / 20
    let patience = Duration.seconds(60 + changes / 200)
    try siege.attack("work", ["changes": count], within: patience)
    try siege.attack("churn", ["rounds": changes / 100], within: patience)
    try siege.checkBelongings("churn")
    try siege.attack("random", ["seed": 3, "seconds": changes > 100_000 ? 60 : 1])
    siege.daemon.send(signal: SIGTERM)
    #expect(try siege.daemon.wait(within: .seconds(120)) == .success, "\(siege.daemon.errorOutput)")
    for line in siege.daemon.errorOutput.split(separator: "\n")
    where line.contains("definitely lost") || line.contains("ERROR SUMMARY") {
      siege.note("valgrind: \(line.drop { $0 != " " }.drop { $0 == " " })")
    }
  }
}

// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import BadgeCommand

/// How a watch ends.
@Suite struct WatchRunTests {
  /// The lowest descriptor that is free.
  private static func freeDescriptor() -> CInt {
    let descriptor = dup(STDIN_FILENO)
    _ = close(descriptor)
    return descriptor
  }

  @Test("A watch that cannot begin leaves nothing open")
  func leavesNothing() async {
    // It takes the signals of its process.
    await #expect(processExitsWith: .success) {
      // The first may open what every process opens once.
      var first: CInt?
      for _ in 0..<5 {
        let run = try CommandRun(["watch"])
        #expect(run.status == .unreachable)
        first = first ?? Self.freeDescriptor()
      }
      #expect(Self.freeDescriptor() == first)
    }
  }
}

// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc

/// The process group that all children of the tests belong to, and the guard that leads it.
///
/// The guard reads from a pipe that only the test process holds open. When that process ends, however
/// it ends, the guard sees the end of the file and kills the group: no child, and no child of a child,
/// survives a crashed suite.
struct ProcessGroup: Sendable {
  /// The group, also the guard's process id; 0, the tests' own group, where there is no guard.
  let identifier: pid_t

  static let shared = ProcessGroup()

  private init() {
    // Children that read no more must not end the tests; they themselves start with the default.
    _ = signal(SIGPIPE, SIG_IGN)
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else {
      identifier = 0
      return
    }
    let script = "trap '' TERM INT HUP; read _; kill -KILL 0"
    let child = try? Spawn.start(
      "/bin/sh",
      ["-c", script],
      environment: [:],
      directory: nil,
      group: 0,
      input: ends[0],
      output: nil,
      error: nil
    )
    _ = close(ends[0])
    identifier = child ?? 0
  }
}

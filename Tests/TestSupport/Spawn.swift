// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc

/// Starts programs with `posix_spawn(3)`; they inherit only what is passed here.
enum Spawn {
  /// Starts `program`, which is looked up in the tests' `PATH`.
  ///
  /// The child has an empty signal mask, default signal actions and only the first three descriptors
  /// (`/dev/null` for those that are nil). It joins the process group `group`; 0 is a new group.
  static func start(
    _ program: String,
    _ arguments: [String],
    environment: [String: String],
    directory: String?,
    group: pid_t,
    input: CInt?,
    output: CInt?,
    error: CInt?
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    _ = unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in [input, output, error].enumerated() {
      if let descriptor {
        _ = unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, CInt(number))
      } else {
        let mode = number == 0 ? O_RDONLY : O_WRONLY
        _ = unsafe posix_spawn_file_actions_addopen(&actions, CInt(number), "/dev/null", mode, 0)
      }
    }
    _ = unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    if let directory { _ = unsafe posix_spawn_file_actions_addchdir_np(&actions, directory) }

    var attributes = posix_spawnattr_t()
    _ = unsafe posix_spawnattr_init(&attributes)
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    // Threads of the test runner block SIGTERM. A child that inherits that can't be terminated.
    var signals = sigset_t()
    _ = unsafe sigemptyset(&signals)
    _ = unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    _ = unsafe sigfillset(&signals)
    _ = unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    _ = unsafe posix_spawnattr_setpgroup(&attributes, group)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    _ = unsafe posix_spawnattr_setflags(&attributes, CShort(flags))

    var argumentPointers = unsafe ([program] + arguments).map { unsafe strdup($0) }
    unsafe argumentPointers.append(nil)
    var environmentPointers = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") }
    unsafe environmentPointers.append(nil)
    defer {
      unsafe (argumentPointers + environmentPointers).forEach { unsafe free($0) }
    }
    var child: pid_t = 0
    let status = unsafe posix_spawnp(
      &child,
      program,
      &actions,
      &attributes,
      argumentPointers,
      environmentPointers
    )
    guard status == 0 else {
      throw TestFailure("can't start \(program): \(unsafe String(cString: strerror(status)))")
    }
    return child
  }
}

/// The process group of all children of the tests, and the guard that leads it.
///
/// The guard reads from a pipe that only the test process holds open. When that process ends, even by
/// a crash, the guard reads end of file and kills the group with all descendants.
struct ProcessGroup: Sendable {
  /// The group's id, which is the guard's process id; 0, the tests' own group, without a guard.
  let identifier: pid_t

  static let shared = ProcessGroup()

  private init() {
    // A child that closes its input must not end the tests. Children get the default action.
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

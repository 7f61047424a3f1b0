// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc

/// Starts a program with `posix_spawn(3)`: nothing is inherited but what is given.
enum Spawn {
  /// Starts `program`, found as the tests' own `PATH` has it.
  ///
  /// The child gets an empty signal mask, default actions, no descriptors but the first three
  /// (`/dev/null` for those that are nil), and is put into the process group `group` (0: its own).
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
    // A thread of the suite has SIGTERM blocked, and a child that inherits that can't be ended.
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

// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

/// A small disk in memory of the test's own, which can be filled, emptied and made read-only.
///
/// Mounting needs root, or sudo.
final class SmallDisk {
  /// Where it is mounted.
  let path: String

  /// A disk of so many kilobytes, mounted at `path`, which is made.
  init(at path: String, kilobytes: Int) throws {
    self.path = path
    guard unsafe mkdir(path, 0o700) == 0 else { throw TestFailure("mkdir \(path): \(errno)") }
    let options = "size=\(kilobytes)k,mode=700,uid=\(getuid()),gid=\(getgid())"
    try Self.asRoot("mount", "-t", "tmpfs", "-o", options, "tmpfs", path)
  }

  deinit {
    try? Self.asRoot("umount", "--lazy", path)
    unsafe rmdir(path)
  }

  /// Takes all the room there is.
  func fill() throws {
    let file = unsafe open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw TestFailure("filler: error \(errno)") }
    defer { close(file) }
    let block = [UInt8](repeating: 1, count: 512)
    while unsafe write(file, block, block.count) > 0 {}
  }

  /// Gives the room back.
  func empty() { unsafe unlink(path + "/filler") }

  /// Lets nobody write there, or lets them again.
  func setReadOnly(_ isReadOnly: Bool) throws {
    try Self.asRoot("mount", "-o", isReadOnly ? "remount,ro" : "remount,rw", path)
  }

  private static func asRoot(_ words: String...) throws {
    let command = getuid() == 0 ? words : ["sudo", "-n"] + words
    let run = try SpawnedProcess.run(
      command[0],
      Array(command.dropFirst()),
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
    )
    guard run.status == .success else {
      throw TestFailure("\(command): \(run.status)\n\(run.errorOutput)")
    }
  }
}

// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc

/// The lock that keeps a second instance out of a state directory.
///
/// A `flock` on a file there, which ends with the process however it ends. The file holds the
/// process id of the last who had it, for the refusal's text only.
final class StateLock {
  private var descriptor: CInt

  private init(adopting descriptor: CInt) {
    self.descriptor = descriptor
  }

  deinit {
    release()
  }

  /// Gives the lock up.
  func release() {
    guard descriptor >= 0 else { return }
    // A child that is just being started may still share the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
    descriptor = -1
  }

  /// Takes the lock, or says who has it.
  ///
  /// - Parameters:
  ///   - directory: The state directory.
  ///   - milliseconds: How long its holder may take to give it up.
  /// - Returns: The lock, which is given up when it goes away.
  /// - Throws: ``StoreError/inUse(directory:processID:)``, or ``StoreError/unavailable(path:detail:)``
  ///   if the file can't be made.
  static func take(
    in directory: StateDirectory,
    waiting milliseconds: Int
  ) throws(StoreError) -> StateLock {
    var rest = milliseconds
    while true {
      do {
        return try take(in: directory)
      } catch {
        guard case .inUse = error, rest > 0 else { throw error }
      }
      usleep(10_000)
      rest -= 10
    }
  }

  private static func take(in directory: StateDirectory) throws(StoreError) -> StateLock {
    let path = directory.lockPath
    var descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0, errno == EROFS || errno == EACCES {
      // A lock needs no right to write.
      let number = errno
      descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      if descriptor < 0 { throw StoreError("lock", number, path: path) }
    }
    guard descriptor >= 0 else { throw StoreError("lock", errno, path: path) }
    let lock = StateLock(adopting: descriptor)

    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK:
        throw .inUse(directory: directory.path, processID: lock.writtenProcessID())
      default: throw StoreError("lock", errno, path: path)
      }
    }
    // Without room on the disk the lock still holds; only the refusal names nobody then.
    _ = fchmod(descriptor, 0o600)
    let line = Array("\(getpid())\n".utf8)
    _ = FileSystem.write(line[...], to: descriptor)
    // To empty a file first makes the file system wait for the disk.
    if lseek(descriptor, 0, SEEK_END) > line.count { _ = ftruncate(descriptor, off_t(line.count)) }
    return lock
  }

  private func writtenProcessID() -> Int32? {
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = unsafe pread(descriptor, &buffer, buffer.count, 0)
    guard count > 0, let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    return Int32(String(decoding: buffer[..<end], as: UTF8.self))
  }
}

// SPDX-License-Identifier: MIT
private import Glibc

/// The lock that keeps a second instance out of a state directory.
///
/// It is an `flock`, so it ends with the process however that ends. The file contains the process id
/// of the last holder, only to be named in an error.
final class StateLock {
  private var file: OpenFile?

  private init(_ file: consuming OpenFile) {
    self.file = consume file
  }

  deinit {
    release()
  }

  /// Releases the lock.
  func release() {
    guard let descriptor = file?.descriptor else { return }
    // Closing is not enough: a child that is being spawned may still share the descriptor.
    flock(descriptor, LOCK_UN)
    file = nil
  }

  /// Takes the lock.
  ///
  /// - Parameters:
  ///   - directory: The state directory.
  ///   - milliseconds: How long to wait for the current holder to release it.
  /// - Returns: The lock, released when it is deallocated.
  /// - Throws: ``StoreError/inUse(directory:processID:)``, or ``StoreError/unavailable(path:detail:)``
  ///   if the file can't be created.
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
    do {
      let file = try open(path)
      try FileSystem.call("flock", path) { flock(file.descriptor, LOCK_EX | LOCK_NB) }
      writeProcessID(to: file)
      return StateLock(file)
    } catch {
      guard error.number == EWOULDBLOCK else { throw StoreError(error) }
      throw .inUse(directory: directory.path, processID: processID(in: path))
    }
  }

  private static func open(_ path: String) throws(FileError) -> OpenFile {
    do {
      return try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    } catch {
      // A file that can only be read can be locked too.
      guard [EROFS, EACCES].contains(error.number),
        let file = try? OpenFile(path, O_RDONLY | O_NOFOLLOW)
      else { throw error }
      return file
    }
  }

  /// Writes this process's id; on a full disk the lock holds without it.
  private static func writeProcessID(to file: borrowing OpenFile) {
    fchmod(file.descriptor, 0o600)
    let line = Array("\(getpid())\n".utf8)
    try? file.write(line[...])
    // Truncating the file before writing would wait for the disk.
    if lseek(file.descriptor, 0, SEEK_END) > line.count {
      ftruncate(file.descriptor, off_t(line.count))
    }
  }

  private static func processID(in path: String) -> Int32? {
    guard let file = try? OpenFile(path, O_RDONLY | O_NOFOLLOW) else { return nil }
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = unsafe read(file.descriptor, &buffer, buffer.count)
    guard count > 0, let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    return Int32(String(decoding: buffer[..<end], as: UTF8.self))
  }
}

// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc

/// The few system calls on files and directories that the store needs; each returns 0 or the error
/// number, and is retried when a signal interrupts it.
enum FileSystem {
  /// What a file is, as far as the store asks.
  struct Status: Hashable {
    var device: UInt64
    var inode: UInt64
    var mode: UInt32
    var owner: UInt32

    /// Whether it is a directory.
    var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
    /// Whether it is a plain file.
    var isRegular: Bool { mode & S_IFMT == S_IFREG }
    /// Whether only owners may remove what others put there, as in `/tmp`.
    var isSticky: Bool { mode & S_ISVTX != 0 }
    /// The nine permission bits.
    var permissions: UInt32 { mode & 0o777 }

    /// Whether both are one file, whatever its name.
    func isSameFile(as other: Status) -> Bool { device == other.device && inode == other.inode }
  }

  /// What lies at a path, after following links; nil where nothing can be seen.
  static func status(of path: String) -> Status? {
    var found = stat()
    guard unsafe stat(path, &found) == 0 else { return nil }
    return Status(
      device: UInt64(found.st_dev),
      inode: UInt64(found.st_ino),
      mode: UInt32(found.st_mode),
      owner: found.st_uid
    )
  }

  /// Creates one directory with exactly these permissions, whatever the umask.
  static func makeDirectory(_ path: String, permissions: UInt32) -> CInt {
    let number = repeated { unsafe mkdir(path, permissions) }
    return number == 0 ? setPermissions(permissions, of: path) : number
  }

  /// Sets the permission bits.
  static func setPermissions(_ permissions: UInt32, of path: String) -> CInt {
    repeated { unsafe chmod(path, permissions) }
  }

  /// Makes an empty file with exactly these permissions where there is none yet.
  static func makeFile(_ path: String, permissions: UInt32) -> CInt {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe open(path, flags, permissions)
    guard descriptor >= 0 else { return errno == EEXIST ? 0 : errno }
    let number = repeated { fchmod(descriptor, permissions) }
    close(descriptor)
    return number
  }

  /// Renames a file.
  static func rename(_ path: String, to other: String) -> CInt {
    repeated { unsafe Glibc.rename(path, other) }
  }

  /// Removes a file.
  static func remove(_ path: String) -> CInt {
    repeated { unsafe unlink(path) }
  }

  /// Removes an empty directory.
  static func removeDirectory(_ path: String) -> CInt {
    repeated { unsafe rmdir(path) }
  }

  /// The names in a directory, without `.` and `..`; nil if it can't be read.
  static func names(in path: String) -> [String]? {
    guard let directory = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name != "." && name != ".." {
        names.append(name)
      }
    }
    return names
  }

  /// A path that does not depend on the working directory.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let current = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(current) }
    return unsafe "\(String(cString: current))/\(path)"
  }

  /// Whether a file can be opened for writing.
  static func isWritable(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// Whether files can be made in a directory: 0, or the error's number.
  static func mayWrite(in path: String) -> CInt {
    repeated { unsafe access(path, W_OK | X_OK) }
  }

  /// Whether an error is of the disk, which may recover, and not of the path.
  static func mayPass(_ number: CInt) -> Bool {
    [ENOSPC, EDQUOT, EROFS, EIO, ENOMEM, ETIMEDOUT, ESTALE].contains(number)
  }

  /// Whether the calling process may act as the owner of a file.
  static func isOurs(_ status: Status) -> Bool { status.owner == geteuid() }

  /// Copies a file byte for byte into a new one, which only its owner can read.
  static func copy(_ path: String, to other: String) -> CInt {
    let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { return errno }
    defer { close(source) }
    let target = unsafe open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { return errno }
    defer { close(target) }
    var buffer = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = unsafe read(source, &buffer, buffer.count)
      if count == 0 { return 0 }
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      let number = write(buffer[..<count], to: target)
      guard number == 0 else { return number }
    }
  }

  /// Writes all bytes at the descriptor's position.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) -> CInt {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return count == 0 ? EIO : errno
      }
    }
    return 0
  }

  /// The system's words for an error number.
  static func text(of number: CInt) -> String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }

  private static func repeated(_ call: () -> CInt) -> CInt {
    while call() != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }
}

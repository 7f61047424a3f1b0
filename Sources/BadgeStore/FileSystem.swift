// SPDX-License-Identifier: MIT
internal import Glibc

/// A failed system call.
struct FileError: Error, Hashable {
  let call: String
  let path: String
  /// The value of `errno`.
  let number: CInt

  /// Whether the disk is at fault, which may recover, and not the path.
  var isTransient: Bool {
    [ENOSPC, EDQUOT, EROFS, EIO, ENOMEM, ETIMEDOUT, ESTALE].contains(number)
  }
}

/// The system calls on files and directories, each retried when a signal interrupts it.
enum FileSystem {
  /// Makes a call that returns -1 and sets `errno` when it fails.
  @discardableResult
  static func call<Value: SignedInteger>(
    _ name: String,
    _ path: String,
    _ body: () -> Value
  ) throws(FileError) -> Value {
    while true {
      let value = body()
      if value >= 0 { return value }
      let number = errno
      if number != EINTR { throw FileError(call: name, path: path, number: number) }
    }
  }

  /// The status of the file at a path, following links; nil if it can't be determined.
  static func status(of path: String) -> stat? {
    var found = stat()
    return unsafe stat(path, &found) == 0 ? found : nil
  }

  /// Creates a directory with exactly these permissions, whatever the umask.
  static func makeDirectory(_ path: String, permissions: mode_t) throws(FileError) {
    try call("mkdir", path) { unsafe mkdir(path, permissions) }
    try setPermissions(permissions, of: path)
  }

  static func setPermissions(_ permissions: mode_t, of path: String) throws(FileError) {
    try call("chmod", path) { unsafe chmod(path, permissions) }
  }

  /// Creates an empty file with exactly these permissions, unless there is one.
  static func makeFile(_ path: String, permissions: mode_t) throws(FileError) {
    do {
      let file = try OpenFile(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, permissions)
      try call("fchmod", path) { fchmod(file.descriptor, permissions) }
    } catch {
      guard error.number == EEXIST else { throw error }
    }
  }

  /// Removes a directory and the files in it, as far as possible.
  static func removeDirectory(_ path: String) {
    for name in names(in: path) ?? [] { unsafe unlink("\(path)/\(name)") }
    unsafe rmdir(path)
  }

  /// The names in a directory, without `.` and `..`; nil if it can't be read.
  static func names(in path: String) -> [String]? {
    guard let directory = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Whether a file can be opened for writing.
  static func isWritable(_ path: String) -> Bool {
    (try? OpenFile(path, O_RDWR)) != nil
  }

  /// Copies a file into a new one that only its owner can read.
  static func copy(_ path: String, to other: String) throws(FileError) {
    let source = try OpenFile(path, O_RDONLY)
    let target = try OpenFile(other, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    var buffer = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = try call("read", path) { unsafe read(source.descriptor, &buffer, buffer.count) }
      if count == 0 { return }
      try target.write(buffer[..<count])
    }
  }
}

/// An open file, closed when it goes out of scope.
struct OpenFile: ~Copyable {
  let descriptor: CInt
  private let path: String

  init(_ path: String, _ flags: CInt, _ permissions: mode_t = 0) throws(FileError) {
    self.path = path
    descriptor = try FileSystem.call("open", path) {
      unsafe open(path, flags | O_CLOEXEC, permissions)
    }
  }

  deinit {
    close(descriptor)
  }

  /// Writes all bytes at the current position.
  func write(_ bytes: ArraySlice<UInt8>) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try FileSystem.call("write", path) {
        unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      }
      guard count > 0 else { throw FileError(call: "write", path: path, number: EIO) }
      rest = rest.dropFirst(count)
    }
  }
}

extension stat {
  var isDirectory: Bool { st_mode & S_IFMT == S_IFDIR }
  var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
  /// Whether only their owners may remove the files in this directory, as in `/tmp`.
  var isSticky: Bool { st_mode & S_ISVTX != 0 }
  var permissions: mode_t { st_mode & 0o777 }

  /// Whether both are of the same file, whatever its name.
  func isSameFile(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }
}

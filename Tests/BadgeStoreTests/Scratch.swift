// SPDX-License-Identifier: MIT
import BadgeStore
import CLinux
import Glibc

/// A directory of a test's own that goes with it.
final class Scratch {
  let path: String

  /// Makes one in memory, where syncing costs nothing, or else on disk.
  init() {
    let base = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(base)/badgestore-XXXXXX".utf8CString)
    let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
    }
    precondition(isMade)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    Self.remove(path)
  }

  /// A state directory that does not exist yet.
  var state: StateDirectory { StateDirectory(path: path + "/state") }

  static func remove(_ path: String) {
    for name in names(in: path) {
      remove("\(path)/\(name)")
    }
    if unsafe unlink(path) != 0 {
      unsafe rmdir(path)
    }
  }

  static func names(in path: String) -> [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." {
        names.append(name)
      }
    }
    return names.sorted()
  }

  static func permissions(of path: String) -> UInt32? {
    var found = stat()
    return unsafe stat(path, &found) == 0 ? found.st_mode & 0o777 : nil
  }

  static func bytes(of path: String) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  static func write(_ bytes: [UInt8], to path: String) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    close(descriptor)
  }
}

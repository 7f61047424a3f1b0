// SPDX-License-Identifier: MIT
import Glibc

/// A folder of a test's own, removed with all in it when the test ends.
final class ScratchFolder {
  let path: String

  init() {
    var template = Array("/tmp/badged-test.XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
    }
    precondition(made, "no scratch folder")
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.removeTree(path) }

  private static func removeTree(_ path: String) {
    if unsafe Glibc.remove(path) == 0 || errno == ENOENT { return }
    guard let stream = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { removeTree(path + "/" + name) }
    }
    unsafe closedir(stream)
    _ = unsafe Glibc.remove(path)
  }

  /// Makes a folder and those above it.
  func makeFolder(_ name: String) {
    var path = self.path
    for component in name.split(separator: "/") {
      path += "/" + component
      _ = unsafe mkdir(path, 0o700)
    }
  }

  /// Makes a file, and the folders above it.
  func write(_ name: String, _ text: String = "[Desktop Entry]\n") {
    if let slash = name.lastIndex(of: "/") { makeFolder(String(name[..<slash])) }
    let descriptor = unsafe open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    var bytes = Array(text.utf8)
    _ = unsafe Glibc.write(descriptor, &bytes, bytes.count)
    _ = close(descriptor)
  }

  func remove(_ name: String) {
    _ = unsafe Glibc.remove(path + "/" + name)
  }

  func rename(_ name: String, to newName: String) {
    _ = unsafe Glibc.rename(path + "/" + name, path + "/" + newName)
  }

  func link(_ name: String, to target: String) {
    _ = unsafe symlink(target, path + "/" + name)
  }
}

// SPDX-License-Identifier: MIT
internal import Glibc

/// A temporary directory, which is removed with its contents when it is released.
public final class TemporaryDirectory: Sendable {
  /// The absolute path without a trailing slash, short enough for a socket address.
  public let path: String

  /// Creates an empty directory that only this user can access.
  public init() throws {
    var template = Array("/tmp/badged-test.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw TestFailure("mkdtemp: error \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    Self.remove(path)
  }

  /// The path of `name` inside the directory.
  public func appending(_ name: String) -> String { path + "/" + name }

  /// Creates a subdirectory, with its parents, and returns its path.
  @discardableResult
  public func makeDirectory(_ name: String) throws -> String {
    var current = path
    for part in name.split(separator: "/") {
      current += "/" + part
      guard unsafe mkdir(current, 0o700) == 0 || errno == EEXIST else {
        throw TestFailure("mkdir \(current): error \(errno)")
      }
    }
    return current
  }

  /// Writes a file and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String, mode: UInt32 = 0o600) throws -> String {
    let file = appending(name)
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw TestFailure("open \(file): error \(errno)") }
    defer { _ = close(descriptor) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else { throw TestFailure("write \(file): error \(errno)") }
      bytes = bytes.dropFirst(count)
    }
    return file
  }

  /// Removes a file or a directory tree, whatever its permissions.
  private static func remove(_ path: String) {
    guard unsafe unlink(path) != 0 else { return }
    _ = unsafe chmod(path, 0o700)
    for name in names(in: path) { remove(path + "/" + name) }
    _ = unsafe rmdir(path)
  }

  private static func names(in path: String) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { _ = unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

/// The text of a file, or nil if it can't be opened.
public func contents(ofFile path: String) -> String? {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { _ = close(descriptor) }
  var text: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = unsafe read(descriptor, &buffer, buffer.count)
    guard count > 0 else { break }
    text += buffer.prefix(count)
  }
  return String(decoding: text, as: UTF8.self)
}

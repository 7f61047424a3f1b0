// SPDX-License-Identifier: MIT
internal import Glibc

/// Files that are one short read, as those below `/proc`.
enum SmallFile {
  /// The first 4,096 bytes of the file at `path`; nil where it can't be read.
  static func read(_ path: String) -> [UInt8]? {
    let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    return unsafe [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      let bytes = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      count = max(bytes, 0)
    }
  }
}

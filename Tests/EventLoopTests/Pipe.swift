// SPDX-License-Identifier: MIT
import CLinux
import EventLoop
import Glibc

/// A pipe of which both ends are the test's own.
final class Pipe {
  private(set) var reader: CInt
  private(set) var writer: CInt

  init() throws {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError.last("pipe2") }
    reader = ends[0]
    writer = ends[1]
  }

  deinit {
    closeReader()
    closeWriter()
  }

  func write(_ bytes: Int = 1) {
    let zeros = [UInt8](repeating: 0, count: bytes)
    _ = unsafe Glibc.write(writer, zeros, bytes)
  }

  func read() {
    var byte: UInt8 = 0
    _ = unsafe Glibc.read(reader, &byte, 1)
  }

  func closeReader() {
    if reader >= 0 { _ = close(reader) }
    reader = -1
  }

  func closeWriter() {
    if writer >= 0 { _ = close(writer) }
    writer = -1
  }
}

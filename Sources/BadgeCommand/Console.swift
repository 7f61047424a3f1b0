// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Where a command reads and writes: data goes to the output, talk to the errors.
final class Console {
  let input: CInt
  let output: CInt
  let errors: CInt

  init(input: CInt = 0, output: CInt = 1, errors: CInt = 2) {
    self.input = input
    self.output = output
    self.errors = errors
  }

  /// Whether a person reads the output.
  var isTerminal: Bool { isatty(output) == 1 }

  /// Writes a text whole, by one write(2) unless the kernel takes less at a time.
  ///
  /// - Throws: ``CommandError`` where the output takes no more.
  func write(_ text: String) throws(CommandError) {
    let failure = Self.write(text, to: output)
    if failure != 0 { throw CommandError.output(failure) }
  }

  /// Writes one line and its end.
  func writeLine(_ text: String) throws(CommandError) {
    try write(text + "\n")
  }

  /// Says what went wrong: one line, `badgectl: ` before it, whatever the text holds.
  func report(_ message: String) {
    // There is nobody left to tell that standard error is gone.
    _ = Self.write("badgectl: " + printable(message) + "\n", to: errors)
  }

  /// Reads up to `count` bytes; empty at the end of the input.
  func read(upTo count: Int) throws(CommandError) -> [UInt8] {
    var failure: CInt = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var received = unsafe Glibc.read(input, buffer.baseAddress, count)
      while received < 0, errno == EINTR {
        received = unsafe Glibc.read(input, buffer.baseAddress, count)
      }
      if received < 0 { failure = errno }
      filled = max(0, received)
    }
    if failure != 0 {
      throw CommandError.failed("cannot read standard input", systemError(failure))
    }
    return bytes
  }

  /// The terminal's rows and columns, where it says so.
  var windowSize: (rows: Int, columns: Int)? {
    var size = winsize()
    guard unsafe linux_window_size(output, &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
      return nil
    }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// Returns 0, or the error's number.
  private static func write(_ text: String, to descriptor: CInt) -> CInt {
    var text = text
    return text.withUTF8 { bytes in
      var written = 0
      while written < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(
          rebasing: UnsafeRawBufferPointer(bytes)[written...]
        )
        let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
          written += count
        } else if errno == EAGAIN {
          waitUntilWritable(descriptor)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
  }

  private static func waitUntilWritable(_ descriptor: CInt) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&entry, 1, -1)
  }
}

/// The system's words for an error's number.
func systemError(_ number: CInt) -> String {
  guard let text = unsafe strerror(number) else { return "error \(number)" }
  return unsafe String(cString: text)
}

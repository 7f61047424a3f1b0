// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// A command's descriptors: data goes to the output, messages to the errors.
final class Console {
  let input: CInt
  let output: CInt
  let errors: CInt

  init(input: CInt = 0, output: CInt = 1, errors: CInt = 2) {
    self.input = input
    self.output = output
    self.errors = errors
  }

  var isTerminal: Bool { isatty(output) == 1 }

  /// Writes the whole text, in a single write(2) if the kernel accepts it.
  func write(_ text: String) throws(CommandError) {
    let failure = Self.write(text, to: output)
    if failure != 0 { throw CommandError.output(failure) }
  }

  func writeLine(_ text: String) throws(CommandError) {
    try write(text + "\n")
  }

  /// Prints an error as one line, with control characters escaped.
  func report(_ message: String) {
    // If standard error is gone, nothing can be reported.
    _ = Self.write("badgectl: " + printable(message) + "\n", to: errors)
  }

  /// Reads up to `count` bytes; none at the end of the input.
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

  /// The terminal's size; nil if unknown.
  var windowSize: (rows: Int, columns: Int)? {
    var size = winsize()
    guard unsafe linux_window_size(output, &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
      return nil
    }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// Returns 0 or `errno`.
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

/// The system's description of an `errno`.
func systemError(_ number: CInt) -> String {
  guard let text = unsafe strerror(number) else { return "error \(number)" }
  return unsafe String(cString: text)
}

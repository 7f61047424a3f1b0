// SPDX-License-Identifier: MIT
internal import CLinux
internal import EventLoop
internal import Glibc

/// What was read from one of a child's outputs so far.
struct Capture {
  /// The pipe's reading end, or -1 after end of file.
  var descriptor: CInt
  var bytes: [UInt8] = []
  /// Where the next line starts.
  private var position = 0

  init(descriptor: CInt) {
    self.descriptor = descriptor
  }

  var isAtEnd: Bool { descriptor < 0 }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  var hasLine: Bool { isAtEnd || bytes[position...].contains(UInt8(ascii: "\n")) }

  /// The next line without its newline, which the last line may lack.
  mutating func nextLine() -> String? {
    guard position < bytes.count else { return nil }
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    defer { position = min(end + 1, bytes.count) }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  mutating func readAvailable() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !isAtEnd {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count > 0 { bytes += buffer.prefix(count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      if count <= 0 { closeDescriptor() }
    }
  }

  mutating func closeDescriptor() {
    if descriptor >= 0 { _ = close(descriptor) }
    descriptor = -1
  }
}

/// The parent's side of a child: its pipes, captured output and exit status.
struct ProcessState {
  let processID: pid_t
  var input: CInt
  var pendingInput: ArraySlice<UInt8>
  var keepsInputOpen: Bool
  var output: Capture
  var error: Capture
  var status: ExitStatus?
  private var pidDescriptor: CInt

  init(
    processID: pid_t,
    input: CInt,
    pendingInput: [UInt8],
    keepsInputOpen: Bool,
    output: CInt,
    error: CInt
  ) {
    self.processID = processID
    self.input = input
    self.pendingInput = pendingInput[...]
    self.keepsInputOpen = keepsInputOpen
    self.output = Capture(descriptor: output)
    self.error = Capture(descriptor: error)
    pidDescriptor = pidfd_open(processID, 0)
  }

  /// Reads and writes until `isDone`, the deadline, or nothing is left to wait for.
  mutating func pump(until deadline: Instant, _ isDone: (ProcessState) -> Bool) -> Bool {
    while true {
      step()
      if isDone(self) { return true }
      var set: [pollfd] = []
      for descriptor in [pidDescriptor, output.descriptor, error.descriptor]
      where descriptor >= 0 {
        set.append(pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0))
      }
      if input >= 0, !pendingInput.isEmpty {
        set.append(pollfd(fd: input, events: CShort(POLLOUT), revents: 0))
      }
      let left = (deadline - .now()).saturatedNanoseconds
      guard !set.isEmpty, left > 0 else { return false }
      _ = unsafe poll(&set, nfds_t(set.count), CInt(clamping: left / 1_000_000 + 1))
    }
  }

  private mutating func step() {
    writePending()
    // Reap first: once the child has ended, all it wrote is in the pipes.
    reapIfEnded()
    output.readAvailable()
    error.readAvailable()
  }

  private mutating func writePending() {
    while input >= 0, !pendingInput.isEmpty {
      let count = unsafe pendingInput.withUnsafeBytes { bytes in
        unsafe write(input, bytes.baseAddress, bytes.count)
      }
      if count > 0 { pendingInput = pendingInput.dropFirst(count) }
      if count < 0, errno == EAGAIN { return }
      if count < 0, errno != EINTR { closeInput() }
    }
    if !keepsInputOpen { closeInput() }
  }

  private mutating func reapIfEnded() {
    guard status == nil else { return }
    var raw: CInt = 0
    guard unsafe waitpid(processID, &raw, WNOHANG) == processID else { return }
    status = ExitStatus(raw: raw)
    if pidDescriptor >= 0 { _ = close(pidDescriptor) }
    pidDescriptor = -1
  }

  mutating func closeInput() {
    if input >= 0 { _ = close(input) }
    input = -1
    pendingInput = []
  }

  mutating func closeAll() {
    closeInput()
    output.closeDescriptor()
    error.closeDescriptor()
    if pidDescriptor >= 0 { _ = close(pidDescriptor) }
    pidDescriptor = -1
  }
}

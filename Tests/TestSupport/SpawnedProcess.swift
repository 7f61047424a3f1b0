// SPDX-License-Identifier: MIT
internal import CLinux
internal import EventLoop
internal import Glibc
internal import Synchronization

/// A child process with its output captured, which never outlives the tests.
///
/// It inherits nothing but what is given: an empty signal mask, its own environment, no descriptor
/// beyond the first three. Output is read whenever something is waited for; a pipe holds a megabyte
/// until then. Letting go of it ends the child.
public final class SpawnedProcess: Sendable {
  /// What the child finds on its standard input.
  public enum Input: Sendable {
    /// Nothing: `/dev/null`.
    case none
    /// This text and then the end of the file.
    case text(String)
    /// These bytes and then the end of the file.
    case bytes([UInt8])
    /// What ``SpawnedProcess/write(_:)`` sends, up to ``SpawnedProcess/closeInput()``.
    case pipe
  }

  /// One of the child's outputs.
  public enum Stream: Sendable {
    /// Standard output.
    case output
    /// Standard error.
    case error
  }

  /// The program as it was given, without folders.
  public let name: String
  /// The child's process id.
  public let processID: CInt
  private let state: Mutex<ProcessState>

  /// Variables that instrumented programs need; passed on where the tests have them.
  ///
  /// With `PROGRAMS_` before its name a variable is for programs alone, in place of the tests' own.
  private static let instrumentation = [
    "ASAN_OPTIONS", "LLVM_PROFILE_FILE", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
  ]

  /// Starts `program`, found in the tests' own `PATH` when it has no slash.
  ///
  /// - Parameters:
  ///   - program: A path, or a name to be found.
  ///   - arguments: What follows the program's name.
  ///   - environment: All variables the child gets.
  ///   - directory: Its working directory; that of the tests where nil.
  ///   - input: What it reads.
  ///   - outputFile: A file its standard output goes to instead, such as `/dev/full`.
  /// - Throws: ``TestFailure`` when it can't be started.
  public init(
    _ program: String,
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    directory: String? = nil,
    input: Input = .none,
    outputFile: String? = nil
  ) throws {
    var environment = environment
    for key in Self.instrumentation where environment[key] == nil {
      guard let value = unsafe getenv("PROGRAMS_" + key) ?? getenv(key) else { continue }
      environment[key] = unsafe String(cString: value)
    }
    let (pending, hasInput, keepsOpen): ([UInt8], Bool, Bool) =
      switch input {
      case .none: ([], false, false)
      case .text(let text): (Array(text.utf8), true, false)
      case .bytes(let bytes): (bytes, true, false)
      case .pipe: ([], true, true)
      }
    let group = ProcessGroup.shared.identifier
    let inputPipe = hasInput ? try Self.makePipe(nonBlocking: 1) : nil
    let errorPipe = try Self.makePipe(nonBlocking: 0)
    var outputPipe: (read: CInt, write: CInt)
    if let outputFile {
      outputPipe = (-1, unsafe open(outputFile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600))
    } else {
      outputPipe = try Self.makePipe(nonBlocking: 0)
    }
    defer {
      for end in [inputPipe?.read ?? -1, outputPipe.write, errorPipe.write] where end >= 0 {
        _ = close(end)
      }
    }
    do {
      processID = try Spawn.start(
        program,
        arguments,
        environment: environment,
        directory: directory,
        group: group,
        input: inputPipe?.read,
        output: outputPipe.write,
        error: errorPipe.write
      )
    } catch {
      for end in [inputPipe?.write ?? -1, outputPipe.read, errorPipe.read] where end >= 0 {
        _ = close(end)
      }
      throw error
    }
    name = program.split(separator: "/").last.map(String.init) ?? program
    state = Mutex(
      ProcessState(
        processID: processID,
        input: inputPipe?.write ?? -1,
        pendingInput: pending,
        keepsInputOpen: keepsOpen,
        output: outputPipe.read,
        error: errorPipe.read
      )
    )
    ProcessLogs.current?.add(self)
  }

  deinit {
    terminate()
    state.withLock { $0.closeAll() }
  }

  /// Runs a program to its end.
  ///
  /// - Throws: ``TestFailure`` when it does not end in time.
  public static func run(
    _ program: String,
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    directory: String? = nil,
    input: Input = .none,
    within timeout: Duration = .seconds(20)
  ) throws -> FinishedProcess {
    let process = try SpawnedProcess(
      program,
      arguments,
      environment: environment,
      directory: directory,
      input: input
    )
    let status = try process.wait(within: timeout)
    return FinishedProcess(status: status, output: process.output, errorOutput: process.errorOutput)
  }

  /// All of standard output that has arrived.
  public var output: String { text(of: .output) }

  /// All of standard error that has arrived.
  public var errorOutput: String { text(of: .error) }

  /// How it ended, or nil while it runs.
  public var status: ExitStatus? {
    state.withLock { state in
      _ = state.pump(until: .now()) { _ in true }
      return state.status
    }
  }

  /// Whether it has not ended yet.
  public var isRunning: Bool { status == nil }

  private func text(of stream: Stream) -> String {
    state.withLock { state in
      _ = state.pump(until: .now()) { _ in true }
      return stream == .output ? state.output.text : state.error.text
    }
  }
}

extension SpawnedProcess {
  /// The next line of an output, without its newline; nil at the end.
  ///
  /// - Throws: ``TestFailure`` when none comes in time.
  public func readLine(
    from stream: Stream = .output,
    within timeout: Duration = .seconds(30)
  ) throws -> String? {
    let deadline = Instant.now() + timeout
    return try state.withLock { state in
      let isReady = state.pump(until: deadline) {
        stream == .output ? $0.output.hasLine : $0.error.hasLine
      }
      guard isReady else {
        throw TestFailure("no line from \(name) in \(timeout)\n\(Self.summary(state))")
      }
      return stream == .output ? state.output.nextLine() : state.error.nextLine()
    }
  }

  /// The next line of an output that contains `text`; those before it are passed over.
  ///
  /// - Throws: ``TestFailure`` when none comes, in time or at all.
  @discardableResult
  public func waitForLine(
    containing text: String,
    from stream: Stream = .output,
    within timeout: Duration = .seconds(30)
  ) throws -> String {
    let deadline = Instant.now() + timeout
    while let line = try readLine(from: stream, within: deadline - .now()) {
      if line.contains(text) { return line }
    }
    throw TestFailure(
      "\(name) never said '\(text)'\n" + state.withLock { Self.summary($0) }
    )
  }

  /// Waits for the end; what was written until then is captured.
  ///
  /// - Throws: ``TestFailure`` when it does not end in time.
  @discardableResult
  public func wait(within timeout: Duration = .seconds(30)) throws -> ExitStatus {
    let deadline = Instant.now() + timeout
    return try state.withLock { state in
      _ = state.pump(until: deadline) { $0.status != nil }
      guard let status = state.status else {
        throw TestFailure("\(name) still runs after \(timeout)\n\(Self.summary(state))")
      }
      return status
    }
  }

  /// Sends a signal, unless it has ended.
  public func send(signal number: CInt) {
    state.withLock { state in
      // Not reaped yet, so the number is still this child's.
      if state.status == nil { _ = kill(state.processID, number) }
    }
  }

  /// Ends it: SIGTERM, and SIGKILL a second later if it is still there.
  @discardableResult
  public func terminate() -> ExitStatus? {
    send(signal: SIGTERM)
    if let status = try? wait(within: .seconds(1)) { return status }
    send(signal: SIGCONT)
    send(signal: SIGKILL)
    return try? wait(within: .seconds(10))
  }

  /// Sends text to a standard input that is a pipe; it leaves now or while something is waited for.
  public func write(_ text: String) {
    state.withLock { state in
      state.pendingInput += Array(text.utf8)
      _ = state.pump(until: .now()) { _ in true }
    }
  }

  /// Ends a standard input that is a pipe, once all that was written has left.
  public func closeInput() {
    state.withLock { state in
      state.keepsInputOpen = false
      _ = state.pump(until: .now()) { _ in true }
    }
  }

  /// Closes the reading end of an output, so that the child's next write fails.
  public func closeReader(of stream: Stream) {
    state.withLock { state in
      if stream == .output { state.output.closeDescriptor() } else { state.error.closeDescriptor() }
    }
  }

  private static func summary(_ state: ProcessState) -> String {
    "status: \(state.status.map(String.init(describing:)) ?? "running")\n"
      + "standard output: \(state.output.text)\nstandard error: \(state.error.text)"
  }

  private static func makePipe(nonBlocking: Int) throws -> (read: CInt, write: CInt) {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw TestFailure("pipe2: error \(errno)") }
    _ = fcntl(ends[nonBlocking], F_SETFL, O_NONBLOCK)
    // A talkative child must not wait for a test that is busy elsewhere.
    let setPipeSize: CInt = 1031
    _ = fcntl(ends[0], setPipeSize, CInt(1 << 20))
    return (ends[0], ends[1])
  }
}

// SPDX-License-Identifier: MIT
internal import CLinux
internal import EventLoop
internal import Glibc
internal import Synchronization

/// A child process with captured output that never outlives the tests.
///
/// It inherits an empty signal mask, only the given environment, and no descriptor beyond the first
/// three. Output is read while a method waits; until then a pipe buffers up to a megabyte. Releasing
/// the object ends the child.
public final class SpawnedProcess: Sendable {
  /// The child's standard input.
  public enum Input: Sendable {
    /// Nothing: `/dev/null`.
    case none
    /// This text, then end of file.
    case text(String)
    /// These bytes, then end of file.
    case bytes([UInt8])
    /// What ``SpawnedProcess/write(_:)`` sends until ``SpawnedProcess/closeInput()``.
    case pipe
  }

  /// One of the child's outputs.
  public enum Stream: Sendable {
    /// Standard output.
    case output
    /// Standard error.
    case error
  }

  /// The program's file name.
  public let name: String
  /// The child's process id.
  public let processID: CInt
  private let state: Mutex<ProcessState>

  /// Variables for instrumented programs, which are passed on from the tests' environment.
  ///
  /// `PROGRAMS_NAME`, if set, takes the place of `NAME` for the programs.
  private static let instrumentation = [
    "ASAN_OPTIONS", "LLVM_PROFILE_FILE", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
  ]

  /// Starts `program`, which is looked up in the tests' `PATH` unless it contains a slash.
  ///
  /// - Parameters:
  ///   - program: A path or a name.
  ///   - arguments: The arguments after the program's name.
  ///   - environment: The child's whole environment.
  ///   - directory: Its working directory; nil is that of the tests.
  ///   - input: Its standard input.
  ///   - outputFile: A file to redirect standard output to, such as `/dev/full`.
  /// - Throws: ``TestFailure`` if it can't be started.
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
    terminate(grace: .seconds(1))
    state.withLock { $0.closeAll() }
  }

  /// Runs a program until it exits.
  ///
  /// - Throws: ``TestFailure`` if it can't be started or does not end in time.
  public static func run(
    _ program: String,
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    directory: String? = nil,
    input: Input = .none,
    within timeout: Duration = .seconds(60)
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

  /// The standard output so far.
  public var output: String { text(of: .output) }

  /// The standard error so far.
  public var errorOutput: String { text(of: .error) }

  /// The exit status, or nil while it runs.
  public var status: ExitStatus? {
    state.withLock { state in
      _ = state.pump(until: .now()) { _ in true }
      return state.status
    }
  }

  /// Whether it still runs.
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
    within timeout: Duration = .seconds(60)
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

  /// Waits for the next line that contains `text`, and skips those before it.
  ///
  /// - Throws: ``TestFailure`` if none comes in time or before the end of file.
  @discardableResult
  public func waitForLine(
    containing text: String,
    from stream: Stream = .output,
    within timeout: Duration = .seconds(60)
  ) throws -> String {
    let deadline = Instant.now() + timeout
    while let line = try readLine(from: stream, within: deadline - .now()) {
      if line.contains(text) { return line }
    }
    throw TestFailure(
      "\(name) never wrote '\(text)'\n" + state.withLock { Self.summary($0) }
    )
  }

  /// Waits for the process to end, and captures its output until then.
  ///
  /// - Throws: ``TestFailure`` if it does not end in time.
  @discardableResult
  public func wait(within timeout: Duration = .seconds(60)) throws -> ExitStatus {
    let deadline = Instant.now() + timeout
    return try state.withLock { state in
      _ = state.pump(until: deadline) { $0.status != nil }
      guard let status = state.status else {
        throw TestFailure("\(name) is still running after \(timeout)\n\(Self.summary(state))")
      }
      return status
    }
  }

  /// Sends a signal if the process still runs.
  public func send(signal number: CInt) {
    state.withLock { state in
      // The child has not been reaped, so its process id can't have been reused.
      if state.status == nil { _ = kill(state.processID, number) }
    }
  }

  /// Ends the process with SIGTERM, or with SIGKILL if it still runs after `grace`.
  ///
  /// A suspended process is resumed, so that it can handle SIGTERM. A daemon may have to wait for a
  /// busy disk before it can exit, so the default is generous.
  @discardableResult
  public func terminate(grace: Duration = .seconds(20)) -> ExitStatus? {
    send(signal: SIGTERM)
    send(signal: SIGCONT)
    if let status = try? wait(within: grace) { return status }
    send(signal: SIGKILL)
    return try? wait(within: .seconds(20))
  }

  /// Sends text to standard input; what the pipe can't take is written while a method waits.
  public func write(_ text: String) {
    state.withLock { state in
      state.pendingInput += Array(text.utf8)
      _ = state.pump(until: .now()) { _ in true }
    }
  }

  /// Closes standard input once all pending text has been written.
  public func closeInput() {
    state.withLock { state in
      state.keepsInputOpen = false
      _ = state.pump(until: .now()) { _ in true }
    }
  }

  /// Closes the reading end of an output, so that the child's next write fails with EPIPE.
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
    // A child with much output must not block while the test does something else.
    let setPipeSize: CInt = 1031
    _ = fcntl(ends[0], setPipeSize, CInt(1 << 20))
    return (ends[0], ends[1])
  }
}

/// The result of a program that has exited.
public struct FinishedProcess: Hashable, Sendable {
  /// Its exit status.
  public let status: ExitStatus
  /// All of its standard output.
  public let output: String
  /// All of its standard error.
  public let errorOutput: String
}

/// How a process ended, as `waitpid(2)` reports it.
public enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
  /// It exited with this status.
  case exited(CInt)
  /// It was killed by this signal.
  case signalled(CInt)

  /// The status 0.
  public static let success = ExitStatus.exited(0)

  /// Decodes the status of `waitpid(2)`.
  init(raw: CInt) {
    let signal = raw & 0x7f
    self = signal == 0 ? .exited((raw >> 8) & 0xff) : .signalled(signal)
  }

  /// For example "exit status 1" or "signal 9".
  public var description: String {
    switch self {
    case .exited(let status): "exit status \(status)"
    case .signalled(let signal): "signal \(signal)"
    }
  }
}

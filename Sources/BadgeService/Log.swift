// SPDX-License-Identifier: MIT
package import EventLoop
internal import Glibc

/// Writes lines to standard error: one `write(2)` each, a bounded number a second, and never waiting
/// for a reader.
///
/// An *error* is something that does not work, a *warning* something that was recovered from,
/// *information* what the person who runs the daemon would ask about, *debug* the rest (`--verbose`).
/// Texts of badges appear in debug lines only.
package final class Log {
  /// The priorities of `syslog(3)`.
  private enum Level: UInt8 {
    case error = 3
    case warning = 4
    case information = 6
    case debug = 7
  }

  static let linesPerSecond = 40
  static let verboseLinesPerSecond = 2_000
  /// The longest message; with prefix and line feed, a pipe takes it whole.
  static let maximumBytes = 4_000

  /// Whether debug lines are written.
  package let isVerbose: Bool

  private let style: Style
  private let now: () -> Instant
  private let write: (String) -> Bool
  private var windowStart = Instant(nanoseconds: .min)
  private var linesInWindow = 0
  /// Lines left out of the present second, to bound their number.
  private var leftOut = 0
  /// Lines that nobody read since the last one that was written.
  private var lost = 0

  /// What a line begins with: a priority for the journal, or the program's name.
  package enum Style: Sendable {
    case priorities
    case program(String)
  }

  /// A log that passes each line, with its line feed, to `write`, which returns whether it was written.
  package init(
    style: Style,
    isVerbose: Bool = false,
    write: @escaping (String) -> Bool = { Log.writeToStandardError($0) },
    now: @escaping () -> Instant = Instant.now
  ) {
    self.style = style
    self.isVerbose = isVerbose
    self.now = now
    self.write = write
  }

  /// Logs something that does not work.
  package func error(_ message: String) { line(.error, message) }

  /// Logs something that was recovered from.
  package func warning(_ message: String) { line(.warning, message) }

  /// Logs something a person would ask about.
  package func information(_ message: String) { line(.information, message) }

  /// Logs a detail under `--verbose`; otherwise the message is not evaluated.
  package func debug(_ message: @autoclosure () -> String) {
    if isVerbose { line(.debug, message()) }
  }

  private func line(_ level: Level, _ message: String) {
    let instant = now()
    if instant >= windowStart.advanced(byNanoseconds: 1_000_000_000) {
      windowStart = instant
      linesInWindow = 0
      if leftOut > 0 { put(prefix(.warning) + "\(leftOut) lines left out here\n") }
      leftOut = 0
    }
    guard linesInWindow < (isVerbose ? Self.verboseLinesPerSecond : Self.linesPerSecond)
    else {
      leftOut += 1
      return
    }
    linesInWindow += 1
    put(prefix(level) + Self.shortened(Self.printable(message)) + "\n")
  }

  /// Writes a line, after a count of the lines that could not be written before it.
  private func put(_ line: String) {
    if lost > 0 {
      let report = prefix(.warning) + "\(lost) lines lost here, since nobody read them\n"
      if write(report) { lost = 0 }
    }
    if lost > 0 || !write(line) { lost += 1 }
  }

  private func prefix(_ level: Level) -> String {
    switch style {
    case .priorities: "<\(level.rawValue)>"
    case .program(let name): "\(name): "
    }
  }

  /// Cuts the message to what a pipe takes whole.
  private static func shortened(_ message: String) -> String {
    guard message.utf8.count > maximumBytes else { return message }
    var line = ""
    for scalar in message.unicodeScalars {
      guard line.utf8.count + 4 <= maximumBytes else { break }
      line.unicodeScalars.append(scalar)
    }
    return line + "…"
  }

  /// Replaces control characters, so that no text from a peer can pass for a line of its own.
  private static func printable(_ message: String) -> String {
    let isClean = message.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    if isClean { return message }
    var line = ""
    for scalar in message.unicodeScalars {
      line.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar)
    }
    return line
  }
}

extension Log {
  /// Whether standard error is the journal's: `$JOURNAL_STREAM` names its device and inode
  /// (`systemd.exec(5)`).
  package static func standardErrorIsJournal(_ environment: (String) -> String?) -> Bool {
    guard let stream = environment("JOURNAL_STREAM") else { return false }
    let parts = stream.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1]) else {
      return false
    }
    var status = stat()
    guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
    return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
  }

  /// Writes `line` to standard error in one call and returns whether that was possible at once.
  @discardableResult
  package static func writeToStandardError(_ line: String) -> Bool {
    write(line, to: STDERR_FILENO)
  }

  /// Writes `line` if that would not block: a pipe that is writable takes 4,096 bytes whole.
  ///
  /// Standard error may be shared with other processes, so it must not be made non-blocking.
  static func write(_ line: String, to descriptor: CInt) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&entry, 1, 0) == 1, entry.revents & Int16(POLLOUT) != 0 else { return false }
    var line = line
    return line.withUTF8 { bytes in
      unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count) == bytes.count
    }
  }
}

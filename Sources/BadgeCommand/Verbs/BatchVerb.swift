// SPDX-License-Identifier: MIT

enum BatchVerb: Verb {
  static let name = "batch"
  static let summary = "run the commands on standard input, over one connection"
  static let worksInBatch = false
  static let discussion = [
    "One command a line, without 'badgectl', as it comes in. Words are quoted as in a shell, "
      + "nothing is expanded, and '#' starts a comment. After an error, which names the line, the "
      + "next line is run; the exit status is that of the first error."
  ]
  static let examples = [
    Example("printf 'set mail 5\\nset chat \"on air\"\\n' | badgectl batch", "two at once")
  ]

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    var lines = LineReader(console: session.console)
    var status = CommandStatus.done
    var number = 0
    defer { session.errorPrefix = "" }
    while let line = try lines.next() {
      number += 1
      session.errorPrefix = "line \(number): "
      let outcome = run(line, in: session)
      if status == .done { status = outcome }
    }
    return status
  }

  private static func run(_ line: LineReader.Line, in session: Session) -> CommandStatus {
    do {
      let words = try words(of: line)
      guard let name = words.first else { return .done }
      return try CommandLineRunner.run(name, words.dropFirst(), in: session, isBatch: true)
    } catch {
      session.report(error)
      return error.status
    }
  }

  private static func words(of line: LineReader.Line) throws(CommandError) -> [String] {
    guard case .text(let bytes) = line else {
      throw .usage("line too long", "more than \(LineReader.limit) bytes")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .usage("not UTF-8", String(decoding: bytes, as: UTF8.self))
    }
    guard !bytes.contains(0) else { throw .usage("NUL in a line", text) }
    do {
      return try ShellWords.split(text)
    } catch {
      throw .usage(error.problem, error.rest)
    }
  }
}

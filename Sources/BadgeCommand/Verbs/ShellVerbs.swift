// SPDX-License-Identifier: MIT

enum BatchVerb: Verb {
  static let name = "batch"
  static let summary = "run commands from standard input over one connection"
  static let worksInBatch = false
  static let discussion = [
    "Each line is one command, without 'badgectl', and runs as soon as it is read. Words are quoted "
      + "as in a shell, nothing is expanded, and '#' starts a comment. An error names the line and "
      + "does not stop the batch; the exit status is that of the first error."
  ]
  static let examples = [
    Example("printf 'set mail 5\\nset chat \"on air\"\\n' | badgectl batch", "two commands at once")
  ]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    var lines = LineReader(console: session.console)
    var status = ExitCode.done
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

  private static func run(_ line: LineReader.Line, in session: Session) -> ExitCode {
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

enum CompletionsVerb: Verb {
  static let name = "completions"
  static let summary = "print a shell's completion script"
  static var operands: [Operand] {
    [Operand(name: "SHELL", completion: .oneOf(["bash", "zsh", "fish"]))]
  }
  static let synopses = ["bash|zsh|fish"]
  static let discussion = [
    "The scripts also complete badge ids. An installation includes them; otherwise source one from "
      + "the shell's start-up file."
  ]
  static let examples = [
    Example("source <(badgectl completions bash)", "in ~/.bashrc"),
    Example("source <(badgectl completions zsh)", "in ~/.zshrc, after compinit"),
    Example("badgectl completions fish | source", "in config.fish"),
  ]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    switch arguments.operands[0] {
    case "bash": try session.console.write(BashCompletion.script())
    case "zsh": try session.console.write(ZshCompletion.script())
    case "fish": try session.console.write(FishCompletion.script())
    case let other:
      throw CommandError.usage("unknown shell", other, next: "one of bash, zsh, fish")
    }
    return .done
  }
}

enum HelpVerb: Verb {
  static let name = "help"
  static let summary = "show help for all commands or one"
  static let operands = [Operand(name: "COMMAND", arity: .optional, completion: .command)]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    guard let name = arguments.operands.first else {
      try session.console.write(HelpText.overview())
      return .done
    }
    try session.console.write(HelpText.page(for: try VerbTable.find(name)))
    return .done
  }
}

// SPDX-License-Identifier: MIT
import BadgeCore

/// Finds a verb, parses its words and runs it.
enum CommandLineRunner {
  /// Runs one command line.
  static func run(
    _ name: String,
    _ words: ArraySlice<String>,
    in session: Session,
    isBatch: Bool = false
  ) throws(CommandError) -> CommandStatus {
    let verb = try VerbTable.find(name)
    guard let invocation = try ArgumentParser.parse(words, for: verb) else {
      try session.console.write(HelpText.page(for: verb))
      return .done
    }
    guard !isBatch || verb.worksInBatch else {
      throw .usage("not for a batch", verb.name)
    }
    return try verb.run(invocation, in: session)
  }

  /// Runs the words after the program's name.
  static func run(_ words: [String], in session: Session) -> CommandStatus {
    do throws(CommandError) {
      guard let first = words.first else {
        throw CommandError(status: .wrongUsage, message: "no command; see 'badgectl help'")
      }
      switch first {
      case "--help", "-h":
        return try run(HelpVerb.name, words.dropFirst(), in: session)
      case "--version", "-V":
        if let extra = words.dropFirst().first {
          throw CommandError.usage("too many arguments", extra, next: "see 'badgectl help'")
        }
        try session.console.writeLine("badgectl \(BadgedVersion.current)")
        return .done
      case "--":
        // It ends the program's own options, of which there are none left.
        guard let name = words.dropFirst().first else {
          throw CommandError(status: .wrongUsage, message: "no command; see 'badgectl help'")
        }
        return try run(name, words.dropFirst(2), in: session)
      default: break
      }
      if first.utf8.first == UInt8(ascii: "-") {
        throw CommandError.usage("unknown option", first, next: "see 'badgectl help'")
      }
      return try run(first, words.dropFirst(), in: session)
    } catch {
      session.report(error)
      return error.status
    }
  }
}

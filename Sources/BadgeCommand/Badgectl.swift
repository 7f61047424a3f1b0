// SPDX-License-Identifier: MIT
import BadgeCore
import EventLoop
import Glibc

/// The program `badgectl`.
public enum Badgectl {
  /// Runs this process's command line and exits.
  public static func main() -> Never {
    StandardDescriptors.reserve()
    let session = Session(console: Console(), environment: .process)
    let status = run(in: session)
    // Leave the connection to the kernel, which closes it faster.
    withExtendedLifetime(session) { exit(status.rawValue) }
  }

  private static func run(in session: Session) -> ExitCode {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let raw = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let word = unsafe String(validatingCString: raw) else {
        let shown = unsafe String(cString: raw)
        session.report(.usage("argument \(index) is not UTF-8", shown))
        return .wrongUsage
      }
      words.append(word)
    }
    return CommandLineRunner.run(words, in: session)
  }
}

/// Finds a verb, parses its arguments and runs it.
enum CommandLineRunner {
  /// Runs one command, from the command line or from a batch.
  static func run(
    _ name: String,
    _ words: ArraySlice<String>,
    in session: Session,
    isBatch: Bool = false
  ) throws(CommandError) -> ExitCode {
    let verb = try VerbTable.find(name)
    guard let arguments = try ArgumentParser.parse(words, for: verb) else {
      try session.console.write(HelpText.page(for: verb))
      return .done
    }
    guard !isBatch || verb.worksInBatch else {
      throw .usage("not available in a batch", verb.name)
    }
    return try verb.run(arguments, in: session)
  }

  /// Runs the words after the program's name, and reports an error.
  static func run(_ words: [String], in session: Session) -> ExitCode {
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
        // The end of the program's own options.
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

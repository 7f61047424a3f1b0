// SPDX-License-Identifier: MIT
import Glibc

/// The program's exit status.
enum ExitCode: CInt {
  case done = 0
  case failed = 1
  case wrongUsage = 2
  case noSuchBadge = 3
  case unreachable = 4
}

/// Why a command failed.
struct CommandError: Error, Equatable {
  var status: ExitCode
  /// One line: what is wrong, the value in quotes, and what to do if that is known.
  var message: String

  static func failed(_ what: String, _ value: String) -> CommandError {
    CommandError(status: .failed, message: "\(what): \(quoted(value))")
  }

  static func usage(_ what: String, _ value: String, next: String? = nil) -> CommandError {
    let step = next.map { "; " + $0 } ?? ""
    return CommandError(status: .wrongUsage, message: "\(what): \(quoted(value))\(step)")
  }

  /// A name that does not exist, with the nearest that does.
  static func unknown(
    _ what: String,
    _ name: String,
    among names: [String],
    otherwise: String
  ) -> CommandError {
    let nearest = Suggestion.nearest(to: name, among: names)
    return .usage(what, name, next: nearest.map { "did you mean '\($0)'?" } ?? otherwise)
  }

  /// Standard output cannot be written; the number is `errno`.
  static func output(_ number: CInt) -> CommandError {
    .failed("cannot write standard output", systemError(number))
  }
}

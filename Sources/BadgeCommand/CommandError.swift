// SPDX-License-Identifier: MIT
import Glibc

/// What a command says on its way out.
enum ExitCode: CInt {
  case done = 0
  case failed = 1
  case wrongUsage = 2
  case noSuchBadge = 3
  case unreachable = 4
}

/// Why a command ended without doing all of its work.
struct CommandError: Error, Equatable {
  var status: ExitCode
  /// One line: what, the value in quotes, and the next step where there is one.
  var message: String

  /// Something of the work failed.
  static func failed(_ what: String, _ value: String) -> CommandError {
    CommandError(status: .failed, message: "\(what): \(quoted(value))")
  }

  /// The command line is wrong.
  static func usage(_ what: String, _ value: String, next: String? = nil) -> CommandError {
    let step = next.map { "; " + $0 } ?? ""
    return CommandError(status: .wrongUsage, message: "\(what): \(quoted(value))\(step)")
  }

  /// A name on the command line is not one of those that exist.
  static func unknown(
    _ what: String,
    _ name: String,
    among names: [String],
    otherwise: String
  ) -> CommandError {
    let nearest = Suggestion.nearest(to: name, among: names)
    return .usage(what, name, next: nearest.map { "did you mean '\($0)'?" } ?? otherwise)
  }

  /// The output takes no more.
  static func output(_ number: CInt) -> CommandError {
    .failed("cannot write standard output", systemError(number))
  }
}

// SPDX-License-Identifier: MIT

/// What the command line asks for; parsing and help both come from the table of ``Option``s.
struct Options {
  enum Action { case serve, help, version }

  var action = Action.serve
  var replaces = false
  var isVerbose = false
  var ownsUnityName = true
  var state: String?
  var address: String?
}

/// A command line that is wrong.
struct UsageError: Error {
  var message: String
}

/// An option: its name, what it takes and what it does.
struct Option: Sendable {
  enum Effect: Sendable {
    case flag(@Sendable (inout Options) -> Void)
    case value(String, @Sendable (inout Options, String) -> Void)
  }

  var name: String
  var short: Character?
  var summary: String
  var effect: Effect

  static let all: [Option] = [
    Option("replace", "r", "take over from a daemon that runs", .flag { $0.replaces = true }),
    Option("state", nil, "keep the state in DIR", .value("DIR") { $0.state = $1 }),
    Option(
      "no-unity-name",
      nil,
      "leave the name com.canonical.Unity alone",
      .flag { $0.ownsUnityName = false }
    ),
    Option(
      "address",
      nil,
      "use the bus at ADDRESS, not the session's",
      .value("ADDRESS") { $0.address = $1 }
    ),
    Option(
      "verbose",
      "v",
      "say what happens, texts of badges included",
      .flag { $0.isVerbose = true }
    ),
    Option("help", "h", "show this help and exit", .flag { $0.action = .help }),
    Option("version", "V", "show the version and exit", .flag { $0.action = .version }),
  ]

  init(_ name: String, _ short: Character?, _ summary: String, _ effect: Effect) {
    (self.name, self.short, self.summary, self.effect) = (name, short, summary, effect)
  }

  /// As the help shows it, such as `--state DIR`.
  var usage: String {
    switch effect {
    case .flag: "--\(name)"
    case .value(let placeholder, _): "--\(name) \(placeholder)"
    }
  }

  fileprivate func isNamed(_ text: Substring) -> Bool {
    text == "--\(name)" || short.map { text == "-\($0)" } ?? false
  }
}

extension Options {
  /// Parses `arguments`, which do not include the program's name.
  init(parsing arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let given = parts.count == 2 ? String(parts[1]) : nil
      guard let option = Option.all.first(where: { $0.isNamed(parts[0]) }) else {
        throw UsageError(message: "unknown argument: '\(argument)'; see badged --help")
      }
      switch option.effect {
      case .flag(let apply):
        guard given == nil else {
          throw UsageError(message: "--\(option.name) takes no value: '\(argument)'")
        }
        apply(&self)
      case .value(let placeholder, let apply):
        guard let value = given ?? rest.popFirst(), !value.isEmpty else {
          throw UsageError(message: "--\(option.name) needs a value: \(placeholder)")
        }
        apply(&self, value)
      }
    }
  }

  /// What `--help` prints.
  static var help: String {
    let width = Option.all.map(\.usage.count).max() ?? 0
    let lines = Option.all.map { option in
      let short = option.short.map { "-\($0), " } ?? "    "
      let padding = String(repeating: " ", count: width - option.usage.count)
      return "  \(short)\(option.usage)\(padding)  \(option.summary)\n"
    }
    return """
      Usage: badged [OPTION]...
      Keeps badge counters and serves them on the session bus as org.badged.Badges1.

      \(lines.joined())
      Set and read badges with badgectl(1). Exit status: 0 ended as asked, 1 failed, 2 wrong usage.

      """
  }
}

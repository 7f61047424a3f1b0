// SPDX-License-Identifier: MIT

/// What the command line asks for.
struct Options: Equatable {
  enum Action: Equatable { case serve, help, version }

  var action = Action.serve
  var replaces = false
  var isVerbose = false
  var ownsUnityName = true
  var state: String?
  var address: String?
}

/// A command line that can't be followed.
struct UsageError: Error, Equatable {
  var message: String
}

/// One option: its name, what it takes and does.
///
/// Parsing and help both come from the table.
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
    Option(
      name: "replace",
      short: "r",
      summary: "take over from a daemon that runs",
      effect: .flag { $0.replaces = true }
    ),
    Option(
      name: "state",
      summary: "keep the state in DIR",
      effect: .value("DIR") { $0.state = $1 }
    ),
    Option(
      name: "no-unity-name",
      summary: "leave the name com.canonical.Unity alone",
      effect: .flag { $0.ownsUnityName = false }
    ),
    Option(
      name: "address",
      summary: "use the bus at ADDRESS, not the session's",
      effect: .value("ADDRESS") { $0.address = $1 }
    ),
    Option(
      name: "verbose",
      short: "v",
      summary: "say what happens, texts of badges included",
      effect: .flag { $0.isVerbose = true }
    ),
    Option(
      name: "help",
      short: "h",
      summary: "show this help and exit",
      effect: .flag { $0.action = .help }
    ),
    Option(
      name: "version",
      short: "V",
      summary: "show the version and exit",
      effect: .flag { $0.action = .version }
    ),
  ]

  /// How the help shows it, such as `--state DIR`.
  var usage: String {
    switch effect {
    case .flag: "--\(name)"
    case .value(let placeholder, _): "--\(name) \(placeholder)"
    }
  }

  init(name: String, short: Character? = nil, summary: String, effect: Effect) {
    self.name = name
    self.short = short
    self.summary = summary
    self.effect = effect
  }
}

extension Options {
  /// The options in `arguments`, the program's name left out.
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

extension Option {
  fileprivate func isNamed(_ text: Substring) -> Bool {
    if text == "--\(name)" { return true }
    guard let short else { return false }
    return text == "-\(short)"
  }
}

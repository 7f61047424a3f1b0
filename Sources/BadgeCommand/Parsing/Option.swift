// SPDX-License-Identifier: MIT

/// What completes a word on a command line.
enum Completion: Equatable {
  case nothing
  /// The ids of the badges there are.
  case badge
  case key
  case command
  case file
  case oneOf([String])
}

/// One option of a command.
struct Option: Equatable {
  /// Long name without dashes.
  var name: String
  var short: Character?
  /// The long name that says the opposite.
  var opposite: String?
  /// What its value is called; a flag has none.
  var value: String?
  var completion: Completion = .nothing
  /// A flag that also takes `=true`, `=false` and `=` (back to the default).
  var takesSwitch = false
  /// One phrase, without a full stop.
  var summary: String

  static let help = Option(name: "help", short: "h", summary: "show this help")
  static let json = Option(name: "json", short: "j", summary: "print JSON")

  /// How help shows it: `-a, --all` or `--max N`.
  var display: String {
    var text = short.map { "-\($0), " } ?? ""
    text += "--" + name
    if let value { text += " " + value }
    if let opposite { text += ", --" + opposite }
    return text
  }
}

/// One operand of a command, or several of a kind.
struct Operand: Equatable {
  enum Arity: Equatable {
    case one
    case optional
    case oneOrMore
    case any
  }

  var name: String
  var arity = Arity.one
  var completion: Completion = .nothing

  /// How a usage line shows it.
  var display: String {
    switch arity {
    case .one: name
    case .optional: "[\(name)]"
    case .oneOrMore: "\(name)..."
    case .any: "[\(name)...]"
    }
  }

  static let badge = Operand(name: "ID", completion: .badge)
  static let badges = Operand(name: "ID", arity: .oneOrMore, completion: .badge)
}

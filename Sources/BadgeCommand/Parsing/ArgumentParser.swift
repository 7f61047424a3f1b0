// SPDX-License-Identifier: MIT

/// How a shell completes a word.
enum Completion: Equatable {
  case nothing
  /// The ids of existing badges.
  case badge
  case key
  case command
  case file
  case oneOf([String])
}

/// One option of a command.
struct CommandOption: Equatable {
  /// The long name without dashes.
  var name: String
  var short: Character?
  /// The long name of the opposite.
  var opposite: String?
  /// The name of its value; nil for a flag.
  var value: String?
  var completion: Completion = .nothing
  /// Whether a flag also takes `=true`, `=false` and `=` (reset).
  var takesSwitch = false
  /// One phrase, without a full stop.
  var summary: String

  static let help = CommandOption(name: "help", short: "h", summary: "show this help")
  static let json = CommandOption(name: "json", short: "j", summary: "print JSON")

  /// How it can be given: `--all` and, if there is a short name, `-a`.
  var forms: [String] { ["--" + name] + (short.map { ["-\($0)"] } ?? []) }

  /// How help shows it: `-a, --all` or `--max N`.
  var display: String {
    var text = short.map { "-\($0), " } ?? ""
    text += "--" + name
    if let value { text += " " + value }
    if let opposite { text += ", --" + opposite }
    return text
  }
}

/// One operand of a command, possibly repeated.
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

  var repeats: Bool { arity == .oneOrMore || arity == .any }

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

/// The parsed words after a verb.
struct Arguments: Equatable {
  /// One option as it was given.
  struct Given: Equatable {
    var name: String
    /// For a flag what followed `=`, if anything.
    var value: String?
    /// Whether the opposite's name was given.
    var isOpposite = false
  }

  var operands: [String] = []
  var options: [Given] = []

  /// Whether a flag was given.
  func has(_ name: String) -> Bool {
    options.contains { $0.name == name }
  }

  /// The value of an option; the last one given counts.
  func value(of name: String) -> String? {
    options.last { $0.name == name }?.value
  }
}

/// Separates the words after a verb into operands and options.
///
/// `--name value`, `--name=value`, `-n value`, `-nvalue`, clusters of short flags, and `--` before
/// words that are all operands. An integer is always an operand.
struct ArgumentParser {
  let verb: any Verb.Type
  private var arguments = Arguments()
  private var words: ArraySlice<String>

  /// Parses the words after a verb; nil if they ask for help.
  ///
  /// - Throws: ``CommandError`` with status 2.
  static func parse(_ words: ArraySlice<String>, for verb: any Verb.Type) throws(CommandError)
    -> Arguments?
  {
    var parser = ArgumentParser(verb: verb, words: words)
    try parser.run()
    if parser.arguments.has(CommandOption.help.name) { return nil }
    try parser.checkOperands()
    return parser.arguments
  }

  private init(verb: any Verb.Type, words: ArraySlice<String>) {
    self.verb = verb
    self.words = words
  }

  private mutating func run() throws(CommandError) {
    while let word = words.popFirst() {
      if word == "--" {
        arguments.operands += words
        return
      }
      if word.utf8.first != UInt8(ascii: "-") || word.utf8.count == 1 || Self.isInteger(word) {
        arguments.operands.append(word)
      } else if word.utf8.starts(with: "--".utf8) {
        try takeLong(word)
      } else {
        try takeShort(word)
      }
    }
  }

  private static func isInteger(_ word: String) -> Bool {
    word.utf8.count > 1 && word.utf8.dropFirst().allSatisfy(isDigit)
  }

  private mutating func takeLong(_ word: String) throws(CommandError) {
    let body = word.utf8.dropFirst(2)
    let separator = body.firstIndex(of: UInt8(ascii: "="))
    let name = String(Substring(body[..<(separator ?? body.endIndex)]))
    let attached = separator.map { String(Substring(body[body.index(after: $0)...])) }

    guard let option = allOptions.first(where: { $0.name == name || $0.opposite == name }) else {
      throw unknownOption("--" + name)
    }
    if option.value != nil {
      guard let value = attached ?? words.popFirst() else {
        throw wrong("option needs a value", "--" + name)
      }
      arguments.options.append(.init(name: option.name, value: value))
      return
    }
    let isOpposite = name != option.name
    if attached != nil, !option.takesSwitch || isOpposite {
      throw wrong("option takes no value", word)
    }
    arguments.options.append(.init(name: option.name, value: attached, isOpposite: isOpposite))
  }

  private mutating func takeShort(_ word: String) throws(CommandError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = allOptions.first(where: { $0.short == letter }) else {
        throw unknownOption("-" + String(letter))
      }
      guard option.value != nil else {
        arguments.options.append(.init(name: option.name, value: nil))
        continue
      }
      guard let value = letters.isEmpty ? words.popFirst() : String(letters) else {
        throw wrong("option needs a value", "-" + String(letter))
      }
      arguments.options.append(.init(name: option.name, value: value))
      return
    }
  }

  private var allOptions: [CommandOption] { verb.options + [.help] }

  private func unknownOption(_ given: String) -> CommandError {
    let names = allOptions.flatMap { [$0.name, $0.opposite].compactMap(\.self) }
    let nearest = Suggestion.nearest(to: String(given.drop { $0 == "-" }), among: names)
    return wrong("unknown option", given, next: nearest.map { "did you mean '--\($0)'?" })
  }

  private func wrong(_ what: String, _ value: String, next: String? = nil) -> CommandError {
    .usage(what, value, next: next ?? "see 'badgectl help \(verb.name)'")
  }

  private func checkOperands() throws(CommandError) {
    var left = arguments.operands.count
    for operand in verb.operands {
      switch operand.arity {
      case .one, .oneOrMore:
        guard left > 0 else { throw wrong("missing argument", operand.name) }
        left = operand.arity == .one ? left - 1 : 0
      case .optional: left = max(0, left - 1)
      case .any: left = 0
      }
    }
    if left > 0 {
      throw wrong("too many arguments", arguments.operands[arguments.operands.count - left])
    }
  }
}

/// Finds the name a misspelt word was meant to be.
enum Suggestion {
  /// The candidate with the fewest edits; nil if none is near.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let limit = max(1, word.utf8.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let isPrefix = word.utf8.count >= 2 && candidate.utf8.starts(with: word.utf8)
      let distance = isPrefix ? 1 : distance(Array(word.utf8), Array(candidate.utf8))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// The edit distance, with swaps of neighbours (Damerau-Levenshtein).
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    // No name is that long.
    guard a.count <= 64 else { return .max }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}

// SPDX-License-Identifier: MIT

/// Sorts the words after a verb into operands and options.
///
/// `--name value`, `--name=value`, `-n value`, `-nvalue`, clusters of short flags, and `--` before
/// words that are operands whatever they look like. An integer is always an operand.
struct ArgumentParser {
  let verb: any Verb.Type
  private var invocation = Invocation()
  private var words: ArraySlice<String>

  /// Parses the words after a verb; nil where they ask for help.
  ///
  /// - Throws: ``CommandError`` with status 2.
  static func parse(_ words: ArraySlice<String>, for verb: any Verb.Type) throws(CommandError)
    -> Invocation?
  {
    var parser = ArgumentParser(verb: verb, words: words)
    try parser.run()
    if parser.invocation.has(Option.help.name) { return nil }
    try parser.checkOperands()
    return parser.invocation
  }

  private init(verb: any Verb.Type, words: ArraySlice<String>) {
    self.verb = verb
    self.words = words
  }

  private mutating func run() throws(CommandError) {
    while let word = words.popFirst() {
      if word == "--" {
        invocation.operands += words
        return
      }
      if word.utf8.first != UInt8(ascii: "-") || word.utf8.count == 1 || Self.isInteger(word) {
        invocation.operands.append(word)
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
      invocation.options.append(.init(name: option.name, value: value))
      return
    }
    let isOpposite = name != option.name
    if attached != nil, !option.takesSwitch || isOpposite {
      throw wrong("option takes no value", word)
    }
    invocation.options.append(.init(name: option.name, value: attached, isOpposite: isOpposite))
  }

  private mutating func takeShort(_ word: String) throws(CommandError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = allOptions.first(where: { $0.short == letter }) else {
        throw unknownOption("-" + String(letter))
      }
      guard option.value != nil else {
        invocation.options.append(.init(name: option.name, value: nil))
        continue
      }
      guard let value = letters.isEmpty ? words.popFirst() : String(letters) else {
        throw wrong("option needs a value", "-" + String(letter))
      }
      invocation.options.append(.init(name: option.name, value: value))
      return
    }
  }

  private var allOptions: [Option] { verb.options + [.help] }

  private func unknownOption(_ given: String) -> CommandError {
    let names = allOptions.flatMap { [$0.name, $0.opposite].compactMap(\.self) }
    let nearest = Suggestion.nearest(to: String(given.drop { $0 == "-" }), among: names)
    return wrong("unknown option", given, next: nearest.map { "did you mean '--\($0)'?" })
  }

  private func wrong(_ what: String, _ value: String, next: String? = nil) -> CommandError {
    .usage(what, value, next: next ?? "see 'badgectl help \(verb.name)'")
  }

  private func checkOperands() throws(CommandError) {
    var left = invocation.operands.count
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
      throw wrong("too many arguments", invocation.operands[invocation.operands.count - left])
    }
  }
}

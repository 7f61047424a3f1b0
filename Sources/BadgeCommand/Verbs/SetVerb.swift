// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

enum SetVerb: Verb {
  static let name = "set"
  static let summary = "create or change a badge"
  static var operands: [Operand] { [.badge, Operand(name: "VALUE", arity: .optional)] }
  static var options: [CommandOption] { KeyOptions.all }
  static var discussion: [String] {
    [
      "A VALUE that is a whole number, possibly negative, is a count. Any other is a text, trimmed of "
        + "surrounding white space; an empty one clears the badge. Without a VALUE only the options "
        + "apply, and an absent badge is created with the number 0.",
      "All options of one command apply together; if one is refused, none does. An empty value resets "
        + "a style or animation option to its default.",
    ]
  }
  static var examples: [Example] {
    [
      Example("badgectl set mail 5", "a count"),
      Example("badgectl set build broken --urgent --background '#b00'", "an urgent text"),
      Example("badgectl set backup --dot --while-pid $$", "a dot while a script runs"),
      Example("badgectl set mail 3 --source work", "one of several mail accounts"),
    ]
  }

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    let id = arguments.operands[0]
    let value = try arguments.operands.dropFirst().first.map(Value.init)
    if arguments.options.isEmpty, let value {
      try session.ask { client throws(ClientError) in
        switch value {
        case .count(let count): try client.set(id, to: count)
        case .text(let text): try client.set(id, to: text)
        }
      }
      return .done
    }
    let changes = try KeyOptions.changes(arguments, value: value)
    guard !changes.isEmpty else {
      throw .usage("nothing to set", id, next: "give a VALUE or an option, see 'badgectl help set'")
    }
    do {
      try session.ask { client throws(ClientError) in try client.update(id, changes) }
    } catch {
      throw KeyOptions.restate(error, as: arguments.options, changes)
    }
    return .done
  }

  /// The meaning of the operand VALUE.
  enum Value: Equatable {
    case count(Int64)
    case text(String)

    init(_ word: String) throws(CommandError) {
      let trimmed = Self.trimmed(word)
      self = try Numbers.count(trimmed).map(Value.count) ?? .text(trimmed)
    }

    private static func trimmed(_ word: String) -> String {
      let scalars = word.unicodeScalars
      guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
        let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
      else { return "" }
      return String(scalars[first...last])
    }
  }
}

/// The options of `set`: every writable key, and a few shortcuts.
enum KeyOptions {
  static var all: [CommandOption] {
    [
      CommandOption(
        name: "source",
        short: "s",
        value: "NAME",
        summary: "set this named source to VALUE, a whole number"
      ),
      CommandOption(name: "dot", summary: "show a dot instead of a VALUE"),
      CommandOption(
        name: "show-zero",
        opposite: "hide-zero",
        summary: "show or hide the badge at zero and below (see --hide-at-zero)"
      ),
    ] + BadgeKey.allCases.filter(\.isWritable).map(option)
  }

  /// A key and its new value.
  typealias Change = (key: BadgeKey, value: PropertyValue)

  private static func option(for key: BadgeKey) -> CommandOption {
    let isSwitch = key.signature == "b"
    return CommandOption(
      name: key.name,
      opposite: isSwitch ? "no-" + key.name : nil,
      value: isSwitch ? nil : valueName(of: key),
      completion: completion(of: key),
      takesSwitch: isSwitch,
      summary: summary(of: key)
    )
  }

  /// What writing the key does, if its documentation describes only reading.
  private static func summary(of key: BadgeKey) -> String {
    switch key {
    case .kind: "show a dot, as --dot does"
    case .count: "show the number N, like a numeric VALUE"
    case .text:
      "show TEXT, like a VALUE; a whole number becomes a count, and an empty text clears the badge"
    case .sources:
      "set each named source to its N and keep the others; 0 removes one, and the empty name is the "
        + "unnamed source"
    case .progress: "show progress from 0 to 1; a value below 0 shows none"
    case .ttl: "remove the badge after this many seconds; 0 keeps it"
    case .whilePID:
      "remove the badge when this process ends; 0 keeps it"
    case .background: "the colour of the box: #RGB, #RRGGBB or #RRGGBBAA"
    case .foreground: "the colour of the label: #RGB, #RRGGBB or #RRGGBBAA"
    case .preset:
      "reset all style and animation keys to a preset, badge or counter, before applying the other "
        + "options"
    default: phrase(key.summary)
    }
  }

  private static func valueName(of key: BadgeKey) -> String {
    switch key {
    case .background, .foreground: "COLOUR"
    case .kind: "dot"
    case .text, .description: "TEXT"
    case .sources: "NAME=N,..."
    case .ttl: "SECONDS"
    case .whilePID: "PID"
    default: key.signature == "x" ? "N" : key.signature == "d" ? "NUMBER" : "NAME"
    }
  }

  private static func completion(of key: BadgeKey) -> Completion {
    switch key {
    case .kind: .oneOf(["dot"])
    case .anchor: .oneOf(BadgeAnchor.allCases.map(\.rawValue))
    case .fit: .oneOf(BadgeFit.allCases.map(\.rawValue))
    case .grow: .oneOf(BadgeGrow.allCases.map(\.rawValue))
    case .preset: .oneOf(BadgePreset.allCases.map(\.rawValue))
    case .animationAppear, .animationChange, .animationDisappear:
      .oneOf(AnimationName.allCases.map(\.rawValue))
    default: .nothing
    }
  }

  /// Turns a sentence of the key table into a phrase.
  private static func phrase(_ summary: String) -> String {
    let isWord = summary.dropFirst().first?.isLowercase ?? false
    let start = isWord ? summary.prefix(1).lowercased() : String(summary.prefix(1))
    return start + (summary.hasSuffix(".") ? summary.dropFirst().dropLast() : summary.dropFirst())
  }
}

extension KeyOptions {
  /// The requested changes; the last of several options for one key counts.
  ///
  /// Checks types and that there is only one value. The daemon checks the rest.
  static func changes(_ arguments: Arguments, value: SetVerb.Value?) throws(CommandError)
    -> [Change]
  {
    var options: [Change] = []
    var sources: [SourceEntry] = []
    for given in arguments.options {
      if given.name == "source" { continue }
      if given.name == BadgeKey.sources.name {
        for entry in try self.sources(given.value ?? "") { set(entry, in: &sources) }
      } else if let change = try change(given) {
        options.removeAll { $0.key == change.key }
        options.append(change)
      }
    }
    var changes: [Change] = []
    if let name = arguments.value(of: "source") {
      guard case .count(let count)? = value else {
        throw .usage(
          "--source needs a whole number as VALUE",
          name,
          next: "see 'badgectl help set'"
        )
      }
      set(SourceEntry(name: name, value: .integer(count)), in: &sources)
    } else if let value {
      switch value {
      case .count(let count): changes.append((.count, .integer(count)))
      case .text(let text): changes.append((.text, .string(text)))
      }
    }
    changes += options
    try checkValues(changes, sources)
    if !sources.isEmpty { changes.append((.sources, .sources(sources))) }
    return changes
  }

  /// Refuses more than one value.
  private static func checkValues(_ changes: [Change], _ sources: [SourceEntry])
    throws(CommandError)
  {
    let unnamed = sources.filter(\.name.isEmpty).map(\.value)
    let values = changes.filter { [.count, .text, .kind].contains($0.key) }.map(\.value) + unnamed
    guard values.count > 1 else { return }
    throw .usage(
      "more than one value",
      PlainText.text(values[1]),
      next: "give one of VALUE, --text, --count, --dot"
    )
  }

  private static func set(_ entry: SourceEntry, in sources: inout [SourceEntry]) {
    sources.removeAll { $0.name == entry.name }
    sources.append(entry)
  }

  private static func change(_ given: Arguments.Given) throws(CommandError) -> Change? {
    switch given.name {
    case "dot": return (.kind, .string("dot"))
    case "show-zero": return (.hideAtZero, .boolean(given.isOpposite))
    default:
      guard let key = BadgeKey(name: given.name) else { return nil }
      return (key, try propertyValue(given, for: key))
    }
  }

  /// The option's value in its key's type; an empty word, which resets the key, stays a string.
  private static func propertyValue(_ given: Arguments.Given, for key: BadgeKey)
    throws(CommandError) -> PropertyValue
  {
    guard let text = given.value else { return .boolean(!given.isOpposite) }
    if text.isEmpty, key.isResettable { return .string(text) }
    switch key.signature {
    case "b":
      if text == "true" { return .boolean(true) }
      if text == "false" { return .boolean(false) }
      throw needs("true or false", given, text)
    case "x", "u":
      guard let number = try Numbers.whole(text, named: key.name) else {
        throw needs("a whole number", given, text)
      }
      return .integer(number)
    case "d":
      guard let number = Numbers.decimal(text) else { throw needs("a number", given, text) }
      return .double(number)
    default: return .string(text)
    }
  }

  private static func needs(_ what: String, _ given: Arguments.Given, _ text: String)
    -> CommandError
  {
    .usage("--\(given.name) needs \(what)", text, next: "see 'badgectl help set'")
  }

  /// Reads `NAME=N,…`; the last `=` before a comma counts, so that names may hold both.
  static func sources(_ text: String) throws(CommandError) -> [SourceEntry] {
    var entries: [SourceEntry] = []
    var start = text.utf8.startIndex
    var separator: String.Index?
    for index in text.utf8.indices + [text.utf8.endIndex] {
      let isEnd = index == text.utf8.endIndex
      let byte = isEnd ? UInt8(ascii: ",") : text.utf8[index]
      if byte == UInt8(ascii: "=") { separator = index }
      guard isEnd || (byte == UInt8(ascii: ",") && separator != nil) else { continue }
      guard let end = separator,
        let count = try Numbers.count(String(text[text.utf8.index(after: end)..<index]))
      else { throw .usage("not NAME=N", String(text[start...]), next: "see 'badgectl help set'") }
      entries.append(SourceEntry(name: String(text[start..<end]), value: .integer(count)))
      separator = nil
      if !isEnd { start = text.utf8.index(after: index) }
    }
    return entries
  }

  /// Replaces the value in a refusal of the daemon by what was typed.
  static func restate(
    _ error: CommandError,
    as options: [Arguments.Given],
    _ changes: [Change]
  ) -> CommandError {
    for given in options {
      guard let text = given.value,
        let change = changes.first(where: { $0.key.name == given.name }),
        let message = restated(error.message, key: given.name, change.value, as: text)
      else { continue }
      return CommandError(status: error.status, message: message)
    }
    return error
  }
}

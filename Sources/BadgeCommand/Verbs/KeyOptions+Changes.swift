// SPDX-License-Identifier: MIT
import BadgeCore

extension KeyOptions {
  /// The changes that a command line asks for; the last of several options for one key counts.
  ///
  /// - Throws: ``CommandError``: wrong usage for a word that is no value of its key's type, and for
  ///   more than one value; what else is wrong the daemon says, since it knows what it takes.
  static func changes(_ invocation: Invocation, value: SetVerb.Value?) throws(CommandError)
    -> [Change]
  {
    var options: [Change] = []
    var sources: [SourceEntry] = []
    for given in invocation.options {
      if given.name == "source" { continue }
      if given.name == BadgeKey.sources.name {
        for entry in try self.sources(given.value ?? "") { set(entry, in: &sources) }
      } else if let change = try change(given) {
        options.removeAll { $0.key == change.key }
        options.append(change)
      }
    }
    var changes: [Change] = []
    if let name = invocation.value(of: "source") {
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

  /// A badge has one value.
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

  private static func change(_ given: Invocation.Given) throws(CommandError) -> Change? {
    switch given.name {
    case "dot": return (.kind, .string("dot"))
    case "show-zero": return (.hideAtZero, .boolean(given.isOpposite))
    default:
      guard let key = BadgeKey(name: given.name) else { return nil }
      return (key, try propertyValue(given, for: key))
    }
  }

  /// The value of an option in its key's type; the empty word that puts a default back stays a text.
  private static func propertyValue(_ given: Invocation.Given, for key: BadgeKey)
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

  private static func needs(_ what: String, _ given: Invocation.Given, _ text: String)
    -> CommandError
  {
    .usage("--\(given.name) needs \(what)", text, next: "see 'badgectl help set'")
  }

  /// Reads `NAME=N`, or several with commas between them.
  ///
  /// The last `=` counts, and a name without one may hold a comma.
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

  /// A refusal of the daemon that names a value in the form it travelled in, with the words of the
  /// command line in its place.
  static func restate(
    _ error: CommandError,
    as options: [Invocation.Given],
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

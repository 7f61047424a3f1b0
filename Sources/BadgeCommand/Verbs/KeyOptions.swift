// SPDX-License-Identifier: MIT
import BadgeCore

/// The options of `set`: every key that can be written, from the key table, and four for people.
enum KeyOptions {
  static var all: [Option] {
    [
      Option(
        name: "source",
        short: "s",
        value: "NAME",
        summary: "set that named source to VALUE, a whole number"
      ),
      Option(name: "dot", summary: "show a dot, in place of a VALUE"),
      Option(
        name: "show-zero",
        opposite: "hide-zero",
        summary: "show the badge at zero and below too, or not (--hide-at-zero)"
      ),
    ] + BadgeKey.allCases.filter(\.isWritable).map(option)
  }

  private static func option(for key: BadgeKey) -> Option {
    let isSwitch = key.signature == "b"
    return Option(
      name: key.name,
      opposite: isSwitch ? "no-" + key.name : nil,
      value: isSwitch ? nil : valueName(of: key),
      completion: completion(of: key),
      takesSwitch: isSwitch,
      summary: phrase(key.summary)
    )
  }

  private static func valueName(of key: BadgeKey) -> String {
    switch key {
    case .background, .foreground: "COLOUR"
    case .kind: "dot"
    case .text, .description: "TEXT"
    case .sources: "NAME=N"
    case .ttl: "SECONDS"
    case .whilePID: "PID"
    default: key.signature == "x" ? "N" : key.signature == "d" ? "NUMBER" : "NAME"
    }
  }

  private static func completion(of key: BadgeKey) -> Completion {
    switch key {
    case .kind: .oneOf(["dot"])
    case .anchor: .oneOf(Anchor.allCases.map(\.rawValue))
    case .fit: .oneOf(Fit.allCases.map(\.rawValue))
    case .grow: .oneOf(Grow.allCases.map(\.rawValue))
    case .preset: .oneOf(StylePreset.allCases.map(\.rawValue))
    case .animationAppear, .animationChange, .animationDisappear:
      .oneOf(Animation.allCases.map(\.rawValue))
    default: .nothing
    }
  }

  /// A sentence of documentation as help lists it.
  private static func phrase(_ summary: String) -> String {
    let isWord = summary.dropFirst().first?.isLowercase ?? false
    let start = isWord ? summary.prefix(1).lowercased() : String(summary.prefix(1))
    return start + (summary.hasSuffix(".") ? summary.dropFirst().dropLast() : summary.dropFirst())
  }

  /// The changes that a command line asks for.
  static func changes(_ invocation: Invocation, value: SetVerb.Value?) throws(CommandError)
    -> [(key: BadgeKey, value: PropertyValue)]
  {
    var changes: [(key: BadgeKey, value: PropertyValue)] = []
    var sources: [SourceEntry] = []
    if let name = invocation.value(of: "source") {
      guard case .count(let count)? = value else {
        throw .usage(
          "--source needs a whole number as VALUE",
          name,
          next: "see 'badgectl help set'"
        )
      }
      sources.append(SourceEntry(name: name, value: .integer(count)))
    } else if let value {
      switch value {
      case .count(let count): changes.append((.count, .integer(count)))
      case .text(let text): changes.append((.text, .string(text)))
      }
    }
    for given in invocation.options {
      switch given.name {
      case "source": break
      case "dot": changes.append((.kind, .string("dot")))
      case "show-zero": changes.append((.hideAtZero, .boolean(given.isOpposite)))
      case BadgeKey.sources.name: sources.append(try source(given.value ?? ""))
      default:
        guard let key = BadgeKey(name: given.name) else { break }
        changes.append((key, propertyValue(given, for: key)))
      }
    }
    if !sources.isEmpty { changes.append((.sources, .sources(sources))) }
    try checkValues(changes)
    return changes
  }

  /// The last of several settings of one key counts, as with any option, but a badge has one value.
  private static func checkValues(_ changes: [(key: BadgeKey, value: PropertyValue)])
    throws(CommandError)
  {
    let values = changes.filter { [.count, .text, .kind].contains($0.key) }
    guard values.count > 1 else { return }
    throw .usage(
      "more than one value",
      PlainText.text(values[1].value),
      next: "give one of VALUE, --text, --count, --dot"
    )
  }

  /// Words that are no value of the key's type go to the daemon as they are: it says what it takes.
  private static func propertyValue(_ given: Invocation.Given, for key: BadgeKey) -> PropertyValue {
    guard let text = given.value else { return .boolean(!given.isOpposite) }
    switch key.signature {
    case "b" where text == "true": return .boolean(true)
    case "b" where text == "false": return .boolean(false)
    case "x", "u": return Int64(text).map(PropertyValue.integer) ?? .string(text)
    case "d": return Double(text).map(PropertyValue.double) ?? .string(text)
    default: return .string(text)
    }
  }

  /// Reads `NAME=N`; the name may hold a `=` itself.
  private static func source(_ text: String) throws(CommandError) -> SourceEntry {
    guard let separator = text.utf8.lastIndex(of: UInt8(ascii: "=")) else {
      throw .usage("not NAME=N", text, next: "see 'badgectl help set'")
    }
    let name = String(text[..<separator])
    let count = String(text[text.index(after: separator)...])
    return SourceEntry(name: name, value: .integer(try Numbers.whole(count, verb: SetVerb.self)))
  }
}

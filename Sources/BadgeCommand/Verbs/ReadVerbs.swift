// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

enum GetVerb: Verb {
  static let name = "get"
  static let summary = "print a badge's value, or one of its keys"
  static var operands: [Operand] {
    [.badge, Operand(name: "KEY", arity: .optional, completion: .key)]
  }
  static var options: [CommandOption] {
    [
      CommandOption(
        name: "default",
        short: "d",
        value: "VALUE",
        summary: "print VALUE if the badge is absent"
      ),
      .json,
    ]
  }
  static let discussion = [
    "The value is the exact count, the text, or a bullet for a dot. With --json it is an object with "
      + "the id and all keys or, given a KEY, only that key's value. Sources are printed one per "
      + "line: name, tab, count."
  ]
  static let examples = [
    Example("badgectl get mail", "the count"),
    Example("badgectl get mail visible --default false", "for a script"),
  ]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    let key = try arguments.operands.dropFirst().first.map(readableKey)
    let badge: BadgeState
    do {
      badge = try session.ask { client throws(ClientError) in
        try client.get(arguments.operands[0])
      }
    } catch {
      guard error.status == .noSuchBadge, let value = arguments.value(of: "default") else {
        throw error
      }
      try session.console.writeLine(value)
      return .done
    }
    try session.console.writeLine(text(of: badge, key, isJSON: arguments.has("json")))
    return .done
  }

  private static func readableKey(_ name: String) throws(CommandError) -> BadgeKey {
    if let key = BadgeKey(name: name), key.isReadable { return key }
    let keys = CompletionWords.keys
    throw .unknown("no such key", name, among: keys, otherwise: "see badged-dbus(5)")
  }

  private static func text(of badge: BadgeState, _ key: BadgeKey?, isJSON: Bool) -> String {
    if isJSON {
      var json = JSONText()
      if let key {
        if let value = badge[key] { json.append(value) } else { json.appendNull() }
      } else {
        json.append(badge)
      }
      return json.text
    }
    guard let key else { return Escaping.plain(badge.plainValue) }
    return badge[key].map(PlainText.text) ?? ""
  }
}

/// Values in the form that scripts read.
enum PlainText {
  static let bullet = "•"

  static func text(_ value: PropertyValue) -> String {
    switch value {
    case .boolean(let value): String(value)
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .double(let value): decimal(value)
    case .string(let value), .unsupported(let value): Escaping.plain(value)
    case .sources(let entries):
      entries.map { "\(Escaping.plain($0.name))\t\(text($0.value))" }.joined(separator: "\n")
    }
  }
}

extension BadgeState {
  /// The exact count, the text, or a bullet.
  var plainValue: String {
    switch kind {
    case "text": text
    case "dot": PlainText.bullet
    default: String(count)
    }
  }

  /// What a panel shows: nothing while hidden, a bullet for a dot, otherwise the label.
  var shownText: String {
    guard isVisible else { return "" }
    return kind == "dot" ? PlainText.bullet : label
  }
}

extension BarItem {
  /// The item of a badge; nil for an absent one.
  init(_ id: BadgeID, _ badge: BadgeState?) {
    self.init(id: id.rawValue)
    guard let badge else { return }
    kind = badge.kind
    text = badge.shownText
    count = badge.count
    isVisible = badge.isVisible
    isUrgent = badge.isUrgent
    max = badge.maximum
    progress = badge.progress
    description = badge.description
    background = badge.background
    foreground = badge.foreground
  }
}

enum ListVerb: Verb {
  static let name = "list"
  static let summary = "print the visible badges"
  static var options: [CommandOption] {
    [CommandOption(name: "all", short: "a", summary: "include hidden badges"), .json]
  }
  static let discussion = [
    "On a terminal badges are drawn as pills in their own colours. Other output has one line per "
      + "badge: id, label, kind, count and visible (true or false), separated by tabs."
  ]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    let list = try session.ask { client throws(ClientError) in try client.list() }
    let badges = arguments.has("all") ? list.badges : list.badges.filter(\.isVisible)
    let console = session.console
    if arguments.has("json") {
      var json = JSONText()
      json.appendArray { json in for badge in badges { json.append(badge) } }
      try console.writeLine(json.text)
    } else if console.isTerminal {
      let pills = Pills(
        depth: ColorDepth(environment: session.environment),
        columns: console.windowSize?.columns
      )
      try console.write(pills.lines(badges).map { $0 + "\n" }.joined())
    } else {
      try console.write(badges.map(row).joined())
    }
    return .done
  }

  private static func row(_ badge: BadgeState) -> String {
    let fields = [
      badge.id.rawValue, badge.label, badge.kind, String(badge.count), String(badge.isVisible),
    ]
    return fields.map(Escaping.plain).joined(separator: "\t") + "\n"
  }
}

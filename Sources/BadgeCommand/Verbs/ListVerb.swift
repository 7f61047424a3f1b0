// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

enum ListVerb: Verb {
  static let name = "list"
  static let summary = "print the visible badges"
  static var options: [Option] {
    [Option(name: "all", short: "a", summary: "print the hidden ones too"), .json]
  }
  static let discussion = [
    "A terminal gets pills in the badges' own colours; a pipe gets a line a badge: id, label, kind, "
      + "count and visible (true or false), with tabs between them."
  ]

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    let list = try session.ask { client throws(ClientError) in try client.list() }
    let badges = invocation.has("all") ? list.badges : list.badges.filter(\.isVisible)
    let console = session.console
    if invocation.has("json") {
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

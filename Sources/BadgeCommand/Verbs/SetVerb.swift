// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

enum SetVerb: Verb {
  static let name = "set"
  static let summary = "create or change a badge"
  static var operands: [Operand] { [.badge, Operand(name: "VALUE", arity: .optional)] }
  static var options: [Option] { KeyOptions.all }
  static var discussion: [String] {
    [
      "A VALUE that reads as a whole number, also a negative one, is a count; any other is a text, "
        + "without the white space round it, and an empty one clears the badge. Without a VALUE "
        + "only the options apply: a badge that is absent is then made at number 0.",
      "All options of one call apply together or, where one is refused, none does. An empty value "
        + "given to an option of style or animation puts its default back.",
    ]
  }
  static var examples: [Example] {
    [
      Example("badgectl set mail 5", "a count"),
      Example(
        "badgectl set build broken --urgent --background '#b00'",
        "a text that wants attention"
      ),
      Example("badgectl set backup --dot --while-pid $$", "a dot, for as long as a script runs"),
      Example("badgectl set mail 3 --source work", "one of several mail accounts"),
    ]
  }

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    let id = invocation.operands[0]
    let value = try invocation.operands.dropFirst().first.map(Value.init)
    if invocation.options.isEmpty, let value {
      try session.ask { client throws(ClientError) in
        switch value {
        case .count(let count): try client.set(id, to: count)
        case .text(let text): try client.set(id, to: text)
        }
      }
      return .done
    }
    let changes = try KeyOptions.changes(invocation, value: value)
    guard !changes.isEmpty else {
      throw .usage("nothing to set", id, next: "give a VALUE or an option, see 'badgectl help set'")
    }
    do {
      try session.ask { client throws(ClientError) in try client.update(id, changes) }
    } catch {
      throw KeyOptions.restate(error, as: invocation.options, changes)
    }
    return .done
  }

  /// What the operand VALUE means.
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

// SPDX-License-Identifier: MIT
import BadgeClient

enum RemoveVerb: Verb {
  static let name = "remove"
  static let aliases = ["rm"]
  static let summary = "forget badges, their style too"
  static let synopses = ["ID...", "--all"]
  static var operands: [Operand] { [Operand(name: "ID", arity: .any, completion: .badge)] }
  static let options = [Option(name: "all", short: "a", summary: "forget every badge there is")]
  static let discussion = [
    "Does all it can, then reports. An app's badge goes until the app announces it again."
  ]
  static let examples = [
    Example("badgectl rm mail chat", "two badges"), Example("badgectl rm --all", "all of them"),
  ]

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    if invocation.has("all") {
      if let id = invocation.operands.first {
        throw .usage("--all takes no ID", id, next: "see 'badgectl help remove'")
      }
      try session.ask { client throws(ClientError) in _ = try client.removeAll() }
      return .done
    }
    guard !invocation.operands.isEmpty else {
      throw .usage("missing argument", "ID", next: "see 'badgectl help remove'")
    }
    return try session.forEach(invocation.operands) { client, id throws(ClientError) in
      try client.remove(id)
    }
  }
}

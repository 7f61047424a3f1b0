// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

enum ClearVerb: Verb {
  static let name = "clear"
  static let summary = "make a badge's value zero; its style stays"
  static let operands = [Operand.badges]
  static let examples = [Example("badgectl clear mail", "all is read")]

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    try session.forEach(invocation.operands) { client, id throws(ClientError) in
      try client.clear(id)
    }
  }
}

enum UrgentVerb: Verb {
  static let name = "urgent"
  static let summary = "let a badge ask for attention, until it is acknowledged"
  static let operands = [Operand.badge]

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    try session.ask { client throws(ClientError) in
      try client.update(invocation.operands[0], [(.urgent, .boolean(true))])
    }
    return .done
  }
}

enum AcknowledgeVerb: Verb {
  static let name = "acknowledge"
  static let aliases = ["ack"]
  static let summary = "end a badge's urgency"
  static let operands = [Operand.badge]

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    try session.ask { client throws(ClientError) in
      try client.acknowledge(invocation.operands[0])
    }
    return .done
  }
}

enum DismissVerb: Verb {
  static let name = "dismiss"
  static let summary = "take a badge away until its value differs"
  static let operands = [Operand.badge]
  static let discussion = [
    "This is what a panel does when a person removes a badge: set again to the value it had, it "
      + "stays hidden; set to another, it is back."
  ]

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    try session.ask { client throws(ClientError) in try client.dismiss(invocation.operands[0]) }
    return .done
  }
}

extension Session {
  /// Does something to each badge, reports what fails and goes on.
  ///
  /// - Returns: The status of the first failure.
  /// - Throws: ``CommandError`` where there is no daemon: the other badges would fare no better.
  func forEach(
    _ ids: [String],
    _ body: (BadgeClient, String) throws(ClientError) -> Void
  ) throws(CommandError) -> CommandStatus {
    var status = CommandStatus.done
    for id in ids {
      do {
        try ask { client throws(ClientError) in try body(client, id) }
      } catch {
        guard error.status != .unreachable else { throw error }
        report(error)
        if status == .done { status = error.status }
      }
    }
    return status
  }
}

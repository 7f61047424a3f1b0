// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

enum IncrementVerb: Verb {
  static let name = "increment"
  static let aliases = ["inc"]
  static let summary = "add to a badge's count and print the new one"
  static var operands: [Operand] { Step.operands }
  static var options: [CommandOption] { Step.options }
  static let discussion = ["N defaults to 1. An absent badge is created."]
  static let examples = [Example("badgectl inc mail", "one more")]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    try Step(arguments, verb: self).take(in: session) { client, step throws(ClientError) in
      try client.increment(step.id, source: step.source, by: step.amount)
    }
  }
}

enum DecrementVerb: Verb {
  static let name = "decrement"
  static let aliases = ["dec"]
  static let summary = "subtract from a badge's count and print the new one"
  static var operands: [Operand] { Step.operands }
  static var options: [CommandOption] { Step.options }
  static let discussion = [
    "N defaults to 1. The count stops at zero; one that is already below stays unchanged."
  ]
  static let examples = [Example("badgectl dec mail 3", "three less")]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    try Step(arguments, verb: self).take(in: session) { client, step throws(ClientError) in
      try client.decrement(step.id, source: step.source, by: step.amount)
    }
  }
}

/// The arguments of increment and decrement.
private struct Step {
  static let operands = [Operand.badge, Operand(name: "N", arity: .optional)]
  static let options = [
    CommandOption(name: "source", short: "s", value: "NAME", summary: "change that source")
  ]

  let id: String
  let source: String?
  let amount: Int64

  init(_ arguments: Arguments, verb: any Verb.Type) throws(CommandError) {
    id = arguments.operands[0]
    source = arguments.value(of: "source")
    guard let word = arguments.operands.dropFirst().first else {
      amount = 1
      return
    }
    guard let amount = try Numbers.whole(word, named: "by") else {
      throw .usage("not a whole number", word, next: "see 'badgectl help \(verb.name)'")
    }
    self.amount = amount
  }

  /// Sends the request and prints the new count.
  func take(
    in session: Session,
    _ body: (BadgeClient, Step) throws(ClientError) -> Int64
  ) throws(CommandError) -> ExitCode {
    let count = try session.ask { client throws(ClientError) in try body(client, self) }
    try session.console.writeLine(String(count))
    return .done
  }
}

enum ClearVerb: Verb {
  static let name = "clear"
  static let summary = "set a badge to zero; its style stays"
  static let operands = [Operand.badges]
  static let examples = [Example("badgectl clear mail", "everything is read")]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    try session.forEach(arguments.operands) { client, id throws(ClientError) in
      try client.clear(id)
    }
  }
}

enum UrgentVerb: Verb {
  static let name = "urgent"
  static let summary = "mark a badge as urgent until it is acknowledged"
  static let operands = [Operand.badge]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    try session.ask { client throws(ClientError) in
      try client.update(arguments.operands[0], [(.urgent, .boolean(true))])
    }
    return .done
  }
}

enum AcknowledgeVerb: Verb {
  static let name = "acknowledge"
  static let aliases = ["ack"]
  static let summary = "end a badge's urgency"
  static let operands = [Operand.badge]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    try session.ask { client throws(ClientError) in
      try client.acknowledge(arguments.operands[0])
    }
    return .done
  }
}

enum DismissVerb: Verb {
  static let name = "dismiss"
  static let summary = "hide a badge until its value changes"
  static let operands = [Operand.badge]
  static let discussion = [
    "This is what a panel does when the user removes a badge. Setting the same value again keeps it "
      + "hidden; another value shows it."
  ]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    try session.ask { client throws(ClientError) in try client.dismiss(arguments.operands[0]) }
    return .done
  }
}

extension Session {
  /// Applies a request to each badge; reports errors and goes on.
  ///
  /// - Returns: The status of the first failure.
  /// - Throws: ``CommandError`` if the daemon is unreachable.
  func forEach(
    _ ids: [String],
    _ body: (BadgeClient, String) throws(ClientError) -> Void
  ) throws(CommandError) -> ExitCode {
    var status = ExitCode.done
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

enum RemoveVerb: Verb {
  static let name = "remove"
  static let aliases = ["rm"]
  static let summary = "remove badges and their style"
  static let synopses = ["ID...", "--all"]
  static var operands: [Operand] { [Operand(name: "ID", arity: .any, completion: .badge)] }
  static let options = [CommandOption(name: "all", short: "a", summary: "remove all badges")]
  static let discussion = [
    "An ID that fails does not stop the others. An app's badge returns when the app announces it "
      + "again."
  ]
  static let examples = [
    Example("badgectl rm mail chat", "two badges"), Example("badgectl rm --all", "all of them"),
  ]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    if arguments.has("all") {
      if let id = arguments.operands.first {
        throw .usage("--all takes no ID", id, next: "see 'badgectl help remove'")
      }
      try session.ask { client throws(ClientError) in _ = try client.removeAll() }
      return .done
    }
    guard !arguments.operands.isEmpty else {
      throw .usage("missing argument", "ID", next: "see 'badgectl help remove'")
    }
    return try session.forEach(arguments.operands) { client, id throws(ClientError) in
      try client.remove(id)
    }
  }
}

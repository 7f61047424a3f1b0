// SPDX-License-Identifier: MIT
import BadgeClient

enum IncrementVerb: Verb {
  static let name = "increment"
  static let aliases = ["inc"]
  static let summary = "add to a badge's number and print the new count"
  static var operands: [Operand] { Step.operands }
  static var options: [Option] { Step.options }
  static let discussion = ["N is 1 unless given. An absent badge is created."]
  static let examples = [Example("badgectl inc mail", "one more")]

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    try Step(invocation, verb: self).take(in: session) { client, step throws(ClientError) in
      try client.increment(step.id, source: step.source, by: step.amount)
    }
  }
}

enum DecrementVerb: Verb {
  static let name = "decrement"
  static let aliases = ["dec"]
  static let summary = "take from a badge's number and print the new count"
  static var operands: [Operand] { Step.operands }
  static var options: [Option] { Step.options }
  static let discussion = [
    "N is 1 unless given. The number stops at zero; one that is below already stays as it is."
  ]
  static let examples = [Example("badgectl dec mail 3", "three less")]

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    try Step(invocation, verb: self).take(in: session) { client, step throws(ClientError) in
      try client.decrement(step.id, source: step.source, by: step.amount)
    }
  }
}

/// What both take.
private struct Step {
  static let operands = [Operand.badge, Operand(name: "N", arity: .optional)]
  static let options = [
    Option(name: "source", short: "s", value: "NAME", summary: "change that named source")
  ]

  let id: String
  let source: String?
  let amount: Int64

  init(_ invocation: Invocation, verb: any Verb.Type) throws(CommandError) {
    id = invocation.operands[0]
    source = invocation.value(of: "source")
    guard let word = invocation.operands.dropFirst().first else {
      amount = 1
      return
    }
    guard let amount = try Numbers.whole(word, named: "by") else {
      throw .usage("not a whole number", word, next: "see 'badgectl help \(verb.name)'")
    }
    self.amount = amount
  }

  /// Takes the step and prints the new count.
  func take(
    in session: Session,
    _ body: (BadgeClient, Step) throws(ClientError) -> Int64
  ) throws(CommandError) -> CommandStatus {
    let count = try session.ask { client throws(ClientError) in try body(client, self) }
    try session.console.writeLine(String(count))
    return .done
  }
}

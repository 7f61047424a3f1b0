// SPDX-License-Identifier: MIT

enum HelpVerb: Verb {
  static let name = "help"
  static let summary = "explain all commands or one"
  static let operands = [Operand(name: "COMMAND", arity: .optional, completion: .command)]
  static let options = [
    Option(name: "mdoc", summary: "print the commands as badgectl(1) has them")
  ]

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    if invocation.has("mdoc") {
      try session.console.write(ManualPage.commands())
      return .done
    }
    guard let name = invocation.operands.first else {
      try session.console.write(HelpText.overview())
      return .done
    }
    try session.console.write(HelpText.page(for: try VerbTable.find(name)))
    return .done
  }
}

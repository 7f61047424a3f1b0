// SPDX-License-Identifier: MIT

enum CompletionsVerb: Verb {
  static let name = "completions"
  static let summary = "print the completion script of a shell"
  static var operands: [Operand] {
    [Operand(name: "SHELL", completion: .oneOf(["bash", "zsh", "fish"]))]
  }
  static let synopses = ["bash|zsh|fish"]
  static let discussion = [
    "The scripts also complete the ids of the badges there are. An installed badgectl has them "
      + "in place; by hand they are sourced from the shell's start-up file."
  ]
  static let examples = [
    Example("source <(badgectl completions bash)", "in ~/.bashrc"),
    Example("source <(badgectl completions zsh)", "in ~/.zshrc, after compinit"),
    Example("badgectl completions fish | source", "in config.fish"),
  ]

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    switch invocation.operands[0] {
    case "bash": try session.console.write(BashCompletion.script())
    case "zsh": try session.console.write(ZshCompletion.script())
    case "fish": try session.console.write(FishCompletion.script())
    case let other:
      throw CommandError.usage("unknown shell", other, next: "one of bash, zsh, fish")
    }
    return .done
  }
}

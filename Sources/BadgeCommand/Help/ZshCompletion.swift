// SPDX-License-Identifier: MIT

/// The completion script for zsh, made from the verb table.
enum ZshCompletion {
  static func script() -> String {
    """
    #compdef badgectl
    # zsh completion for badgectl(1), written by 'badgectl completions zsh'

    _badgectl_ids() {
      local -a ids
      ids=("${(@f)$(badgectl list --all 2>/dev/null | cut -f 1)}")
      compadd -- "${(@)ids:#}"
    }

    _badgectl_commands() {
      local -a commands
      commands=(
    \(VerbTable.all.map(commandLines).joined())\
      )
      _describe -t commands command commands
    }

    _badgectl() {
      local context state state_descr line curcontext=$curcontext
      typeset -A opt_args
      _arguments -C \\
        '(- *)'{-h,--help}'[show help]' \\
        '(- *)--version[print the version]' \\
        '1: :_badgectl_commands' \\
        '*:: :->arguments'
      [[ $state == arguments ]] || return
      case $words[1] in
    \(VerbTable.all.map(branch).joined())\
      esac
    }

    if [[ $funcstack[1] == _badgectl ]]; then
      _badgectl "$@"
    else
      compdef _badgectl badgectl
    fi

    """
  }

  private static func commandLines(for verb: any Verb.Type) -> String {
    ([verb.name] + verb.aliases).map { "    \(quote("\($0):\(verb.summary)"))\n" }.joined()
  }

  private static func branch(for verb: any Verb.Type) -> String {
    var specifications: [String] = []
    for option in verb.options + [.help] {
      let meaning = "[" + escape(option.summary) + "]"
      let argument = option.value.map { ":\($0):\(action(option.completion))" } ?? ""
      let mark = option.name == "sources" ? "*" : ""
      specifications.append(
        mark + "--" + option.name + (argument.isEmpty ? "" : "=") + meaning + argument
      )
      if let short = option.short {
        specifications.append("-\(short)" + (argument.isEmpty ? "" : "+") + meaning + argument)
      }
      if let opposite = option.opposite { specifications.append("--" + opposite + meaning) }
    }
    for operand in verb.operands {
      let place =
        switch operand.arity {
        case .one: ":"
        case .optional: "::"
        case .oneOrMore, .any: "*:"
        }
      specifications.append("\(place)\(operand.name):\(action(operand.completion))")
    }
    let lines = specifications.map { "        \(quote($0))" }.joined(separator: " \\\n")
    let names = ([verb.name] + verb.aliases).joined(separator: " | ")
    return "    \(names))\n      _arguments \\\n\(lines) ;;\n"
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .nothing: ""
    case .badge: "_badgectl_ids"
    case .key: "(\(CompletionWords.keys.joined(separator: " ")))"
    case .command: "_badgectl_commands"
    case .file: "_files"
    case .oneOf(let words): "(\(words.joined(separator: " ")))"
    }
  }

  private static func escape(_ text: String) -> String {
    var result = ""
    for character in text {
      if "[]:\\".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }

  private static func quote(_ text: String) -> String { Escaping.shell(text) }
}

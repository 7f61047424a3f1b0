// SPDX-License-Identifier: MIT
import BadgeCore

/// Words that all shells' completions share.
enum CompletionWords {
  /// The keys `get` can print.
  static var keys: [String] {
    BadgeKey.allCases.filter(\.isReadable).map(\.name)
  }

  static var verbs: [String] { VerbTable.all.map { $0.name } }

  /// Every form of every option that takes a value, once.
  fileprivate static var valuedOptions: [String] {
    var forms: [String] = []
    for option in VerbTable.all.flatMap({ $0.options }) where option.value != nil {
      for form in option.forms where !forms.contains(form) { forms.append(form) }
    }
    return forms
  }
}

/// The completion script for bash, made from the verb table.
enum BashCompletion {
  static func script() -> String {
    let names = VerbTable.all.flatMap { $0.names }.joined(separator: " ")
    return """
      # bash completion for badgectl(1), written by 'badgectl completions bash'

      _badgectl_words() {
        mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
      }

      _badgectl_ids() {
        local id typed=${cur//\\\\/} quote=
        case $typed in
          [\\"\\']*) quote=yes typed=${typed:1} ;;
        esac
        while IFS= read -r id; do
          [[ $id == "$typed"* ]] || continue
          [[ $quote ]] || printf -v id %q "$id"
          COMPREPLY+=("$id")
        done < <(badgectl list --all 2>/dev/null | cut -f 1)
      }

      _badgectl() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
        local verb= position=-1 word i
        COMPREPLY=()
        for ((i = 1; i < COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          if [[ ! $verb ]]; then
            [[ $word == -* ]] || { verb=$word position=0; }
            continue
          fi
          case $word in
            \(CompletionWords.valuedOptions.joined(separator: " | "))) ((i++)) ;;
            -[0-9]*) ((position++)) ;;
            -*) ;;
            *) ((position++)) ;;
          esac
        done
        case $verb in
          '') _badgectl_words "\(names) --help --version" ;;
      \(VerbTable.all.map(branch).joined())\
        esac
      }

      complete -o nosort -F _badgectl badgectl

      """
  }

  private static func branch(for verb: any Verb.Type) -> String {
    var text = "    \(verb.names.joined(separator: " | ")))\n"
    let valued = verb.options.filter { $0.value != nil }
    if !valued.isEmpty {
      text += "      case $prev in\n"
      for option in valued {
        text += "        \(option.forms.joined(separator: " | "))) "
        text += action(option.completion).map { $0 + "; " } ?? ""
        text += "return ;;\n"
      }
      text += "      esac\n"
    }
    let names = (verb.options + [.help]).flatMap { option in
      ["--" + option.name] + (option.opposite.map { ["--" + $0] } ?? [])
    }
    text += "      if [[ $cur == -* ]]; then\n"
    text += "        _badgectl_words \"\(names.joined(separator: " "))\"\n"
    text += "        return\n      fi\n"
    text += operandCases(of: verb)
    return text + "      ;;\n"
  }

  private static func operandCases(of verb: any Verb.Type) -> String {
    var cases = ""
    for (index, operand) in verb.operands.enumerated() {
      guard let action = action(operand.completion) else { continue }
      cases += "        \(operand.repeats ? "*" : String(index))) \(action) ;;\n"
    }
    return cases.isEmpty ? "" : "      case $position in\n\(cases)      esac\n"
  }

  private static func action(_ completion: Completion) -> String? {
    switch completion {
    case .nothing: nil
    case .badge: "_badgectl_ids"
    case .key: "_badgectl_words \"\(CompletionWords.keys.joined(separator: " "))\""
    case .command: "_badgectl_words \"\(CompletionWords.verbs.joined(separator: " "))\""
    case .file: "mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")"
    case .oneOf(let words): "_badgectl_words \"\(words.joined(separator: " "))\""
    }
  }
}

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
    verb.names.map { "    \(quote("\($0):\(verb.summary)"))\n" }.joined()
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
    let names = verb.names.joined(separator: " | ")
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

/// The completion script for fish, made from the verb table.
enum FishCompletion {
  static func script() -> String {
    """
    # fish completion for badgectl(1), written by 'badgectl completions fish'

    function __badgectl_ids
        badgectl list --all 2>/dev/null | string split -f 1 \\t
    end

    # __badgectl_at POSITION VERB...: whether an operand of that verb is being typed; 'any' is any.
    function __badgectl_at
        set -l words (commandline -poc)[2..]
        set -l verb
        set -l position 0
        set -l skip
        for word in $words
            if test -n "$skip"
                set skip
                continue
            end
            switch $word
                case \(CompletionWords.valuedOptions.joined(separator: " "))
                    set skip yes
                case '--*' '-?'
                    string match -qr '^-\\d+$' -- $word; and set position (math $position + 1)
                case '*'
                    if test -z "$verb"
                        set verb $word
                    else
                        set position (math $position + 1)
                    end
            end
        end
        contains -- "$verb" $argv[2..]; or return 1
        test "$argv[1]" = any -o "$argv[1]" = $position
    end

    function __badgectl_no_verb
        not string match -qv -- '-*' (commandline -poc)[2..]
    end

    complete -c badgectl -f
    complete -c badgectl -n __badgectl_no_verb -s h -l help -d 'show help'
    complete -c badgectl -n __badgectl_no_verb -l version -d 'print the version'
    \(VerbTable.all.map(lines).joined())
    """
  }

  private static func lines(for verb: any Verb.Type) -> String {
    var text = ""
    for name in verb.names {
      text += "complete -c badgectl -n __badgectl_no_verb -a \(name) -d \(quote(verb.summary))\n"
    }
    let any = "-n '__badgectl_at any \(verb.names.joined(separator: " "))'"
    for option in verb.options + [.help] {
      text += "complete -c badgectl \(any)"
      if let short = option.short { text += " -s \(short)" }
      text += " -l \(option.name)"
      if option.value != nil { text += " -r" + action(option.completion) }
      text += " -d \(quote(option.summary))\n"
      if let opposite = option.opposite {
        text += "complete -c badgectl \(any) -l \(opposite) -d \(quote("not: " + option.summary))\n"
      }
    }
    for (index, operand) in verb.operands.enumerated() where operand.completion != .nothing {
      let place = operand.repeats ? "any" : String(index)
      text +=
        "complete -c badgectl -n '__badgectl_at \(place) \(verb.names.joined(separator: " "))'"
      text += action(operand.completion) + "\n"
    }
    return text
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .nothing: " -f"
    case .badge: " -f -a '(__badgectl_ids)'"
    case .key: " -f -a \(quote(CompletionWords.keys.joined(separator: " ")))"
    case .command: " -f -a \(quote(CompletionWords.verbs.joined(separator: " ")))"
    case .file: " -F"
    case .oneOf(let words): " -f -a \(quote(words.joined(separator: " ")))"
    }
  }

  private static func quote(_ text: String) -> String {
    var result = "'"
    for character in text {
      if "'\\".contains(character) { result += "\\" }
      result.append(character)
    }
    return result + "'"
  }
}

// SPDX-License-Identifier: MIT

/// The completion script for bash, made from the verb table.
enum BashCompletion {
  static func script() -> String {
    let names = VerbTable.all.flatMap { [$0.name] + $0.aliases }.joined(separator: " ")
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
            \(valuedOptions())) ((i++)) ;;
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

  private static func valuedOptions() -> String {
    var names: [String] = []
    for option in VerbTable.all.flatMap({ $0.options }) where option.value != nil {
      let forms = ["--" + option.name] + (option.short.map { ["-\($0)"] } ?? [])
      for form in forms where !names.contains(form) { names.append(form) }
    }
    return names.joined(separator: " | ")
  }

  private static func branch(for verb: any Verb.Type) -> String {
    var text = "    \(([verb.name] + verb.aliases).joined(separator: " | ")))\n"
    let valued = verb.options.filter { $0.value != nil }
    if !valued.isEmpty {
      text += "      case $prev in\n"
      for option in valued {
        let forms = ["--" + option.name] + (option.short.map { ["-\($0)"] } ?? [])
        text += "        \(forms.joined(separator: " | "))) "
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
      let repeats = operand.arity == .oneOrMore || operand.arity == .any
      cases += "        \(repeats ? "*" : String(index))) \(action) ;;\n"
    }
    return cases.isEmpty ? "" : "      case $position in\n\(cases)      esac\n"
  }

  private static func action(_ completion: Completion) -> String? {
    switch completion {
    case .nothing: nil
    case .badge: "_badgectl_ids"
    case .key: "_badgectl_words \"\(CompletionWords.keys.joined(separator: " "))\""
    case .command:
      "_badgectl_words \"\(VerbTable.all.map { $0.name }.joined(separator: " "))\""
    case .file: "mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")"
    case .oneOf(let words): "_badgectl_words \"\(words.joined(separator: " "))\""
    }
  }
}

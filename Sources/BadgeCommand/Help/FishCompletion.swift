// SPDX-License-Identifier: MIT

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
                case \(valuedOptions())
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

  private static func valuedOptions() -> String {
    var names: [String] = []
    for option in VerbTable.all.flatMap({ $0.options }) where option.value != nil {
      let forms = ["--" + option.name] + (option.short.map { ["-\($0)"] } ?? [])
      for form in forms where !names.contains(form) { names.append(form) }
    }
    return names.joined(separator: " ")
  }

  private static func lines(for verb: any Verb.Type) -> String {
    let names = [verb.name] + verb.aliases
    var text = ""
    for name in names {
      text += "complete -c badgectl -n __badgectl_no_verb -a \(name) -d \(quote(verb.summary))\n"
    }
    let any = "-n '__badgectl_at any \(names.joined(separator: " "))'"
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
      let repeats = operand.arity == .oneOrMore || operand.arity == .any
      let place = repeats ? "any" : String(index)
      text += "complete -c badgectl -n '__badgectl_at \(place) \(names.joined(separator: " "))'"
      text += action(operand.completion) + "\n"
    }
    return text
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .nothing: " -f"
    case .badge: " -f -a '(__badgectl_ids)'"
    case .key: " -f -a \(quote(CompletionWords.keys.joined(separator: " ")))"
    case .command: " -f -a \(quote(VerbTable.all.map { $0.name }.joined(separator: " ")))"
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

// SPDX-License-Identifier: MIT
import Testing
import TestSupport

/// The completions in real shells, with the badges of a running daemon.
@Suite(.privateBus) struct CommandCompletionTests {
  private let stage = CommandStage()

  private func prepare() throws -> SpawnedProcess {
    let daemon = try stage.startDaemon()
    try stage.done("set", "mail", "3")
    try stage.done("set", "My App", "1")
    try stage.done("set", "hidden", "0")
    return daemon
  }

  private func shell(_ name: String, _ words: [String]) throws -> FinishedProcess {
    var environment = stage.bus.environment
    let folder = try productPath("badgectl").split(separator: "/").dropLast().joined(separator: "/")
    environment["PATH"] = "/\(folder):\(environment["PATH"] ?? "")"
    environment["TERM"] = "dumb"
    return try SpawnedProcess.run(
      name,
      words,
      environment: environment,
      directory: stage.bus.directory.path
    )
  }

  private static let cases: [(line: [String], wanted: [String], unwanted: [String])] = [
    (["se"], ["set"], ["get"]), (["get", "m"], ["mail"], ["hidden"]),
    (["get", "h"], ["hidden"], ["mail"]), (["rm", "mail", "h"], ["hidden"], []),
    (["get", "mail", "backg"], ["background"], ["mail"]),
    (["set", "mail", "--anch"], ["--anchor"], ["--max"]),
    (["set", "mail", "--anchor", "top"], ["top-left", "top-right"], ["center"]),
    (["watch", "--format", "way"], ["waybar"], ["polybar"]), (["quiet", "o"], ["on", "off"], []),
    (["completions", "z"], ["zsh"], ["bash"]), (["help", "wat"], ["watch"], ["set"]),
    (["animations", "of"], ["off"], ["on"]),
  ]

  @Test("bash completes commands, options, values, keys and the ids of badges")
  func bash() throws {
    let daemon = try prepare()
    defer { daemon.terminate() }
    for (line, wanted, unwanted) in Self.cases {
      let script = #"""
        source <(badgectl completions bash)
        COMP_WORDS=(badgectl "$@"); COMP_CWORD=$#
        _badgectl; printf '%s\n' "${COMPREPLY[@]}"
        """#
      let run = try shell("bash", ["--norc", "-c", script, "bash"] + line)
      let words = run.output.split(separator: "\n").map(String.init)
      for word in wanted { #expect(words.contains(word), "\(line): \(words)") }
      for word in unwanted { #expect(!words.contains(word), "\(line): \(words)") }
      #expect(run.errorOutput == "")
    }
    let quoting = try shell(
      "bash",
      [
        "--norc", "-c",
        "source <(badgectl completions bash); COMP_WORDS=(badgectl get M); COMP_CWORD=2; _badgectl; "
          + #"printf '%s\n' "${COMPREPLY[@]}"; COMP_WORDS=(badgectl get 'My\ A'); _badgectl; "#
          + #"printf '%s\n' "${COMPREPLY[@]}""#,
      ]
    )
    #expect(quoting.output == "My\\ App\nMy\\ App\n")
  }

  @Test("fish completes commands, options, values, keys and the ids of badges")
  func fish() throws {
    let daemon = try prepare()
    defer { daemon.terminate() }
    for (line, wanted, unwanted) in Self.cases {
      let run = try shell(
        "fish",
        [
          "--no-config", "-c",
          "badgectl completions fish | source; complete -C 'badgectl \(line.joined(separator: " "))'",
        ]
      )
      let words = run.output.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }
      for word in wanted { #expect(words.contains(word), "\(line): \(words)") }
      for word in unwanted { #expect(!words.contains(word), "\(line): \(words)") }
      #expect(run.errorOutput == "")
    }
  }

  @Test("zsh completes commands, options, values, keys and the ids of badges")
  func zsh() throws {
    let daemon = try prepare()
    defer { daemon.terminate() }
    let lines = Self.cases.map { $0.line.joined(separator: " ") }
    let run = try shell("zsh", ["-f", "-c", Self.zshScript, "zsh"] + lines)
    let answers = run.output.split(separator: "LINE\n", omittingEmptySubsequences: false)
      .dropFirst()
    #expect(answers.count == lines.count)
    for ((line, wanted, unwanted), answer) in zip(Self.cases, answers) {
      let words = answer.split(separator: "\n").map(String.init)
      for word in wanted { #expect(words.contains(word), "\(line): \(words)") }
      for word in unwanted { #expect(!words.contains(word), "\(line): \(words)") }
    }
  }

  /// Starts an interactive zsh on a terminal of its own, whose `compadd` prints what it adds.
  ///
  /// Completion works only in an interactive shell.
  private static let zshScript = #"""
    zmodload zsh/zpty
    zpty z zsh -f -i
    send() { zpty -w z "$1" }
    send 'PS1= PROMPT2= RPS1=; unsetopt zle_bracketed_paste prompt_sp; autoload -U compinit; compinit -D -u'
    send 'source <(badgectl completions zsh)'
    send 'compadd() { local -a hits; builtin compadd -O hits "$@"; print -rl -- "HIT "${^hits}; builtin compadd "$@" }'
    send 'probe() { zle complete-word; print -r -- PRO"BED" }; zle -N probe; bindkey "^I" probe'
    send 'zstyle ":completion:*" list-grouped false; LISTMAX=1000; print READ"Y"'
    while zpty -r z line; do [[ $line == *READY* ]] && break; done
    for words; do
      print LINE
      zpty -n -w z "badgectl $words"$'\t'
      while zpty -r z line; do
        line=${line//$'\r'/}
        [[ $line == *HIT\ * ]] && print -r -- ${${line#*HIT }%%[[:space:]]}
        [[ $line == *PROBED* ]] && break
      done
      zpty -n -w z $'\C-u'
    done
    zpty -d z
    """#
}

// SPDX-License-Identifier: MIT
import BadgeCore
import Testing

@testable import BadgeCommand

@Suite struct HelpTests {
  @Test("The help texts are those that are checked in")
  func matchesGolden() throws {
    var text = try CommandRun(["help"]).output
    for verb in VerbTable.all {
      text += "\n==== \(verb.name)\n\n" + (try CommandRun(["help", verb.name]).output)
    }
    #expect(text == (try golden("Golden/help.txt", for: text)))
  }

  @Test("Help is the same however it is asked for")
  func isTheSame() throws {
    for verb in VerbTable.all {
      let page = try CommandRun(["help", verb.name])
      #expect(page.status == .done)
      #expect(try CommandRun([verb.name, "--help"]).output == page.output)
      #expect(try CommandRun([verb.name, "-h", "--nonsense"].dropLast()).output == page.output)
      for alias in verb.aliases { #expect(try CommandRun(["help", alias]).output == page.output) }
    }
    #expect(try CommandRun(["--help"]).output == (try CommandRun(["help"]).output))
  }

  @Test("No line of help is wider than a terminal")
  func fitsTerminals() {
    for text in VerbTable.all.map(HelpText.page) + [HelpText.overview()] {
      for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test("Names, aliases and options are given once, and summaries are phrases")
  func isConsistent() {
    let names = VerbTable.all.flatMap { [$0.name] + $0.aliases }
    #expect(Set(names).count == names.count)
    for verb in VerbTable.all {
      #expect(!verb.summary.hasSuffix("."))
      let options = (verb.options + [.help]).flatMap {
        [$0.name, $0.opposite, $0.short.map(String.init)].compactMap(\.self)
      }
      #expect(Set(options).count == options.count, "\(verb.name)")
    }
  }

  @Test("The commands of badgectl(1) are those of the verb table")
  func matchesManual() throws {
    let manual = try checkedIn("../../man/badgectl.1")
    let lines = manual.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0 == ManualPage.start })
    let end = try #require(lines.firstIndex { $0 == ManualPage.end })
    let before = lines[..<start].map { $0 + "\n" }.joined()
    let page = before + ManualPage.commands() + lines[(end + 1)...].joined(separator: "\n")
    #expect(page == (try golden("../../man/badgectl.1", for: page)))
  }

  @Test("The version is data on standard output")
  func printsVersion() throws {
    let run = try CommandRun(["--version"])
    #expect(run.output == "badgectl \(BadgedVersion.current)\n")
    #expect(run.status == .done)
  }
}

@Suite struct CompletionTests {
  @Test(
    "Each shell's completions name every verb, alias, option and value",
    arguments: ["bash", "zsh", "fish"]
  )
  func namesEverything(shell: String) throws {
    let script = try CommandRun(["completions", shell]).output
    for verb in VerbTable.all {
      for name in [verb.name] + verb.aliases { #expect(script.contains(name), "\(name)") }
      for option in verb.options {
        let dashes = shell == "fish" ? "-l " : "--"
        #expect(script.contains(dashes + option.name), "\(verb.name) \(option.name)")
        if let opposite = option.opposite { #expect(script.contains(dashes + opposite)) }
        if case .oneOf(let words) = option.completion {
          #expect(script.contains(words.joined(separator: " ")))
        }
      }
    }
    #expect(script.contains(CompletionWords.keys.joined(separator: " ")))
    #expect(script.contains("badgectl list --all"))
  }

  @Test("Every key that can be written is an option of set, and every other is not")
  func derivesOptions() {
    let names = Set(SetVerb.options.map(\.name))
    for key in BadgeKey.allCases { #expect(names.contains(key.name) == key.isWritable, "\(key)") }
  }
}

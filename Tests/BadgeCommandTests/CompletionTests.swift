// SPDX-License-Identifier: MIT
import BadgeCore
import Testing

@testable import BadgeCommand

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

// SPDX-License-Identifier: MIT
import BadgeCore
import Testing

@testable import BadgeCommand

@Suite struct KeyOptionTests {
  private func changes(_ words: [String]) throws -> [String] {
    let arguments = try #require(try ArgumentParser.parse(["a"] + words, for: SetVerb.self))
    let value = try arguments.operands.dropFirst().first.map(SetVerb.Value.init)
    return try KeyOptions.changes(arguments, value: value).map { "\($0.key.name)=\($0.value)" }
  }

  @Test(
    "Options become changes in the types of their keys",
    arguments: [
      (["5", "--max", "9"], ["count=5", "max=9"]),
      (["--max", "9223372036854775807"], ["max=9223372036854775807"]),
      (["--progress", "0.25"], ["progress=0.25"]), (["--progress", ".5"], ["progress=0.5"]),
      (["--ttl", "1e3"], ["ttl=1000.0"]), (["--offset-x", "-4"], ["offset-x=-4.0"]),
      (["--padding", ""], ["padding=''"]), (["--animate="], ["animate=''"]),
      (["--urgent=false"], ["urgent=false"]), (["--no-urgent"], ["urgent=false"]),
      (["--show-zero"], ["hide-at-zero=false"]), (["--text", ""], ["text=''"]),
      (["--dot"], ["kind='dot'"]), (["3", "-s", "work"], ["sources={'work': 3}"]),
    ]
  )
  func readsOptions(words: [String], expected: [String]) throws {
    #expect(try changes(words) == expected)
  }

  @Test(
    "Of several options for one key the last one counts",
    arguments: [
      (["--max", "5", "--max", "6"], ["max=6"]),
      (["--urgent", "--no-urgent"], ["urgent=false"]),
      (["--no-urgent", "--urgent"], ["urgent=true"]),
      (["--show-zero", "--hide-at-zero"], ["hide-at-zero=true"]),
      (["--text", "a", "--text", "b"], ["text='b'"]), (["--dot", "--kind", "dot"], ["kind='dot'"]),
      (["--sources", "a=1", "--sources", "a=2"], ["sources={'a': 2}"]),
    ]
  )
  func takesTheLast(words: [String], expected: [String]) throws {
    #expect(try changes(words) == expected)
  }

  @Test(
    "Sources are given one by one or as a list",
    arguments: [
      (["a=3"], ["a": 3]), (["a=3,b=4"], ["a": 3, "b": 4]), (["a=3", "b=-4"], ["a": 3, "b": -4]),
      (["a=3,b=4,a=5"], ["a": 5, "b": 4]), (["w=x=3,=0"], ["w=x": 3, "": 0]),
      (["x,y=4,z=5"], ["x,y": 4, "z": 5]), (["ä, ö=1"], ["ä, ö": 1]),
    ] as [([String], [String: Int64])]
  )
  func readsSources(words: [String], expected: [String: Int64]) throws {
    var read: [String: PropertyValue] = [:]
    for entry in try words.flatMap(KeyOptions.sources) { read[entry.name] = entry.value }
    #expect(read == expected.mapValues(PropertyValue.integer))
  }

  @Test("A refusal names the value as it was given")
  func restates() {
    let refusal = BadgeError.invalidValue(
      key: "progress",
      value: .double(1.1),
      expected: "a number from 0 to 1"
    )
    let error = CommandError(status: .failed, message: refusal.message)
    let changes: [KeyOptions.Change] = [(.max, .integer(1)), (.progress, .double(1.1))]
    let given = [
      Arguments.Given(name: "max", value: "1"), Arguments.Given(name: "progress", value: "1.10"),
    ]
    #expect(
      KeyOptions.restate(error, as: given, changes).message
        == "progress: '1.10' is not a number from 0 to 1"
    )
    let other = CommandError(status: .failed, message: "limit reached: 4096 badges")
    #expect(KeyOptions.restate(other, as: given, changes) == other)
  }
}

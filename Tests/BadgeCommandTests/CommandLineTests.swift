// SPDX-License-Identifier: MIT
import BadgeCore
import Testing

@testable import BadgeCommand

@Suite struct ArgumentParserTests {
  private typealias Given = Arguments.Given

  private func parse(_ words: [String], for verb: any Verb.Type) throws -> Arguments? {
    try ArgumentParser.parse(words[...], for: verb)
  }

  @Test(
    "Words that look like integers are operands, never options",
    arguments: [
      ["mail", "-3"], ["mail", "-0"], ["mail", "-99999999999999999999"], ["-3", "-3"], ["-", "-"],
    ]
  )
  func takesIntegersAsOperands(words: [String]) throws {
    #expect(try parse(words, for: SetVerb.self) == Arguments(operands: words))
  }

  @Test(
    "Options are taken in every form there is",
    arguments: [
      (["--max", "9"], [Given(name: "max", value: "9")]),
      (["--max=9"], [Given(name: "max", value: "9")]),
      (["--max="], [Given(name: "max", value: "")]),
      (["--max=a=b"], [Given(name: "max", value: "a=b")]),
      (["--offset-x", "-10"], [Given(name: "offset-x", value: "-10")]),
      (["--text", "--max"], [Given(name: "text", value: "--max")]),
      (["-s", "work"], [Given(name: "source", value: "work")]),
      (["-swork"], [Given(name: "source", value: "work")]),
      (["--urgent"], [Given(name: "urgent")]),
      (["--no-urgent"], [Given(name: "urgent", isOpposite: true)]),
      (["--animate="], [Given(name: "animate", value: "")]),
      (["--hide-zero"], [Given(name: "show-zero", isOpposite: true)]),
    ] as [([String], [Arguments.Given])]
  )
  func takesOptions(words: [String], options: [Arguments.Given]) throws {
    let expected = Arguments(operands: ["mail"], options: options)
    #expect(try parse(["mail"] + words, for: SetVerb.self) == expected)
    #expect(try parse(words + ["mail"], for: SetVerb.self) == expected)
  }

  @Test("Short flags can be written together")
  func takesClusters() throws {
    let expected = [Given(name: "all"), Given(name: "json")]
    #expect(try parse(["-aj"], for: ListVerb.self)?.options == expected)
  }

  @Test("Two dashes end the options")
  func endsOptions() throws {
    let arguments = try parse(["--", "--urgent", "--max"], for: SetVerb.self)
    #expect(arguments == Arguments(operands: ["--urgent", "--max"]))
  }

  @Test("Asking for help wins over what is missing", arguments: [["--help"], ["-h"], ["a", "-h"]])
  func asksForHelp(words: [String]) throws {
    #expect(try parse(words, for: SetVerb.self) == nil)
  }

  @Test(
    "A wrong command line is refused in one line that names the word and the next step",
    arguments: [
      (["set"], "missing argument: 'ID'; see 'badgectl help set'"),
      (["set", "a", "1", "2"], "too many arguments: '2'; see 'badgectl help set'"),
      (
        ["set", "a", "--bakground", "x"],
        "unknown option: '--bakground'; did you mean '--background'?"
      ),
      (["set", "a", "--urgnt"], "unknown option: '--urgnt'; did you mean '--urgent'?"),
      (["set", "a", "--zzz"], "unknown option: '--zzz'; see 'badgectl help set'"),
      (["set", "a", "-x"], "unknown option: '-x'; see 'badgectl help set'"),
      (["set", "a", "--max"], "option needs a value: '--max'; see 'badgectl help set'"),
      (["list", "--json=yes"], "option takes no value: '--json=yes'; see 'badgectl help list'"),
      (
        ["set", "a", "--no-urgent=x"],
        "option takes no value: '--no-urgent=x'; see 'badgectl help set'"
      ),
      (["ste", "a"], "unknown command: 'ste'; did you mean 'set'?"),
      (["xyzzy"], "unknown command: 'xyzzy'; see 'badgectl help'"),
      (["--frob"], "unknown option: '--frob'; see 'badgectl help'"),
      ([], "no command; see 'badgectl help'"),
      (["set", "a"], "nothing to set: 'a'; give a VALUE or an option, see 'badgectl help set'"),
      (
        ["set", "a", "5", "--text", "x"],
        "more than one value: 'x'; give one of VALUE, --text, --count, --dot"
      ),
      (
        ["set", "a", "b", "--source", "w"],
        "--source needs a whole number as VALUE: 'w'; see 'badgectl help set'"
      ),
      (["set", "a", "--sources", "w"], "not NAME=N: 'w'; see 'badgectl help set'"),
      (["set", "a", "--sources", ""], "not NAME=N: ''; see 'badgectl help set'"),
      (["set", "a", "--sources", "a=3,"], "not NAME=N: ''; see 'badgectl help set'"),
      (["set", "a", "--sources", "a=3,b"], "not NAME=N: 'b'; see 'badgectl help set'"),
      (["set", "a", "--sources", "a=x,b=4"], "not NAME=N: 'a=x,b=4'; see 'badgectl help set'"),
      (["set", "a", "--count", "x"], "--count needs a whole number: 'x'; see 'badgectl help set'"),
      (["set", "a", "--count", ""], "--count needs a whole number: ''; see 'badgectl help set'"),
      (["set", "a", "--max", "+5"], "--max needs a whole number: '+5'; see 'badgectl help set'"),
      (["set", "a", "--max", "1e3"], "--max needs a whole number: '1e3'; see 'badgectl help set'"),
      (
        ["set", "a", "--while-pid", "me"],
        "--while-pid needs a whole number: 'me'; see 'badgectl help set'"
      ),
      (
        ["set", "a", "--progress", "0x1"],
        "--progress needs a number: '0x1'; see 'badgectl help set'"
      ),
      (
        ["set", "a", "--progress", "nan"],
        "--progress needs a number: 'nan'; see 'badgectl help set'"
      ),
      (["set", "a", "--ttl", "-inf"], "--ttl needs a number: '-inf'; see 'badgectl help set'"),
      (["set", "a", "--ttl", "1,5"], "--ttl needs a number: '1,5'; see 'badgectl help set'"),
      (
        ["set", "a", "--urgent=maybe"],
        "--urgent needs true or false: 'maybe'; see 'badgectl help set'"
      ),
      (["set", "a", "--urgent="], "--urgent needs true or false: ''; see 'badgectl help set'"),
      (
        ["set", "a", "--sources", "=4", "--dot"],
        "more than one value: '4'; give one of VALUE, --text, --count, --dot"
      ),
      (["--version", "x"], "too many arguments: 'x'; see 'badgectl help'"),
      (["--help", "st"], "unknown command: 'st'; did you mean 'set'?"),
      (["--help", "set", "x"], "too many arguments: 'x'; see 'badgectl help help'"),
      (["--", "--frob"], "unknown command: '--frob'; see 'badgectl help'"),
      (["--"], "no command; see 'badgectl help'"),
      (["inc", "a", "b"], "not a whole number: 'b'; see 'badgectl help increment'"),
      (["remove"], "missing argument: 'ID'; see 'badgectl help remove'"),
      (["rm", "--all", "a"], "--all takes no ID: 'a'; see 'badgectl help remove'"),
      (["animations", "maybe"], "expected 'on' or 'off': 'maybe'"),
      (["quiet", "for", "soon"], "not a duration: 'soon'; see 'badgectl help quiet'"),
      (["quiet", "for"], "missing argument: 'DURATION'; see 'badgectl help quiet'"),
      (["quiet", "on", "1h"], "too many arguments: '1h'; see 'badgectl help quiet'"),
      (["get", "a", "backgruond"], "no such key: 'backgruond'; did you mean 'background'?"),
      (["completions", "tcsh"], "unknown shell: 'tcsh'; one of bash, zsh, fish"),
      (["watch", "--format", "wayber"], "no such format: 'wayber'; did you mean 'waybar'?"),
      (
        ["watch", "--template", "{lable}"],
        "no such key in the template: 'lable'; did you mean 'label'?"
      ),
      (["watch", "--template", "{label"], "'{' without '}': '{label'; see 'badgectl help watch'"),
      (["watch", "--template", "{id:html}"], "no such filter: 'html'; see 'badgectl help watch'"),
      (["watch", "--json", "-f", "eww"], "--json conflicts with --format: 'eww'"),
      (["help", "st"], "unknown command: 'st'; did you mean 'set'?"),
    ] as [([String], String)]
  )
  func refuses(words: [String], message: String) throws {
    let run = try CommandRun(words)
    #expect(run.errors == "badgectl: \(message)\n")
    #expect(run.status == .wrongUsage)
    #expect(run.output == "")
  }

  @Test(
    "A number out of bounds is a failure that names it, before any bus is needed",
    arguments: [
      (["set", "a", "9007199254740992"], "count", "9007199254740992"),
      (["set", "a", " -99999999999999999999 "], "count", "-99999999999999999999"),
      (["set", "a", "--sources", "w=9007199254740992"], "count", "9007199254740992"),
      (["set", "a", "--count", "9223372036854775808"], "count", "9223372036854775808"),
      (["set", "a", "--max", "9223372036854775808"], "max", "9223372036854775808"),
      (["inc", "a", "9223372036854775808"], "by", "9223372036854775808"),
      (["dec", "a", "-9223372036854775809"], "by", "-9223372036854775809"),
    ]
  )
  func refusesCountsOutOfBounds(words: [String], name: String, value: String) throws {
    let run = try CommandRun(words)
    #expect(run.errors.hasPrefix("badgectl: \(name) out of bounds: '\(value)'; at most "))
    #expect(run.status == .failed)
  }

  @Test("Control characters and long values cannot break the one line of an error")
  func keepsErrorsOnOneLine() throws {
    let run = try CommandRun(["\u{1B}[31mred\n" + String(repeating: "x", count: 5000)])
    #expect(run.errors.hasPrefix("badgectl: unknown command: '\\x1b[31mred\\nxxx"))
    #expect(run.errors.utf8.count < 200)
    #expect(run.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test(
    "A value that reads as a whole number is a count, and any other a text",
    arguments: [
      ("5", .count(5)), ("-3", .count(-3)), ("0", .count(0)), ("-0", .count(0)),
      (" 7\t", .count(7)),
      ("9007199254740991", .count(9_007_199_254_740_991)), ("007", .text("007")),
      ("+5", .text("+5")), ("5.0", .text("5.0")), ("", .text("")), ("  ", .text("")),
      (" on air ", .text("on air")), ("\u{A0}x\u{3000}", .text("x")), ("٣", .text("٣")),
    ] as [(String, SetVerb.Value)]
  )
  func readsValues(word: String, value: SetVerb.Value) throws {
    #expect(try SetVerb.Value(word) == value)
  }

  @Test(
    "Durations have units, or are seconds",
    arguments: [
      ("90", 90), ("45s", 45), ("30m", 1800), ("1h30m", 5400), ("2d", 172_800), ("0", nil),
      ("", nil), ("h", nil), ("1h30", nil), ("-5", nil), ("1w", nil), ("1.5h", nil),
      ("99999999999999999999999d", nil),
    ] as [(String, UInt64?)]
  )
  func readsDurations(text: String, seconds: UInt64?) {
    #expect(Numbers.seconds(text) == seconds)
  }

  @Test("The nearest name is suggested, and none that is far")
  func suggests() {
    let names = ["set", "list", "acknowledge"]
    #expect(Suggestion.nearest(to: "lsit", among: names) == "list")
    #expect(Suggestion.nearest(to: "ackn", among: names) == "acknowledge")
    #expect(Suggestion.nearest(to: "frobnicate", among: names) == nil)
    #expect(Suggestion.nearest(to: String(repeating: "x", count: 100_000), among: names) == nil)
  }
}

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

// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCommand

@Suite struct ShellWordsTests {
  @Test(
    "A line is split as a shell would split it",
    arguments: [
      ("", []), ("   \t", []), ("# all comment", []), ("set mail 5", ["set", "mail", "5"]),
      ("  set\t mail  5 \r", ["set", "mail", "5"]), ("set mail 5 # five", ["set", "mail", "5"]),
      ("set a#b 1", ["set", "a#b", "1"]), ("set 'My App' 1", ["set", "My App", "1"]),
      ("set \"My App\" 1", ["set", "My App", "1"]), ("set My\\ App 1", ["set", "My App", "1"]),
      ("a''b", ["ab"]), ("''", [""]), ("\"\"", [""]), ("'a\\b'", ["a\\b"]),
      (#""a\"b\\c\$d\`e\f""#, [#"a"b\c$d`e\f"#]), ("'it'\\''s'", ["it's"]), ("\\#x", ["#x"]),
      ("$HOME *.txt `x`", ["$HOME", "*.txt", "`x`"]),
      ("--background '#09f'", ["--background", "#09f"]),
      ("ä 👍", ["ä", "👍"]),
    ] as [(String, [String])]
  )
  func splits(line: String, words: [String]) throws {
    #expect(try ShellWords.split(line) == words)
  }

  @Test(
    "A unterminated quote and a lone backslash are refused, with what remains of the line",
    arguments: [
      ("set 'mail 5", "unterminated quote", "'mail 5"),
      ("set \"mail", "unterminated quote", "\"mail"),
      ("set mail\\", "backslash at the end", "\\"),
    ]
  )
  func refuses(line: String, problem: String, rest: String) {
    #expect(throws: ShellWords.Failure(problem: problem, rest: rest)) {
      try ShellWords.split(line)
    }
  }

  @Test("A long line is split in a time that grows with its length")
  func splitsLongLines() throws {
    let word = String(repeating: "a\\\\'b'", count: 10_000)
    #expect(try ShellWords.split("set \(word)").count == 2)
  }

  @Test("Lines come as their bytes come, the last one without an end too")
  func readsLines() throws {
    var chunks: [[UInt8]] = [Array("a\nb".utf8), Array("c\n\nd".utf8)]
    var reader = LineReader { chunks.isEmpty ? [] : chunks.removeFirst() }
    var lines: [String] = []
    while case .text(let line)? = try reader.next() {
      lines.append(String(decoding: line, as: UTF8.self))
    }
    #expect(lines == ["a", "bc", "", "d"])
  }

  @Test("A line that is too long is passed over, and the next one is read")
  func skipsLongLines() throws {
    let long = [UInt8](repeating: 97, count: LineReader.limit)
    var chunks = [long, long, [97, 10, 98, 10]]
    var reader = LineReader { chunks.isEmpty ? [] : chunks.removeFirst() }
    #expect(try reader.next() == .tooLong)
    #expect(try reader.next() == .text([98]))
    #expect(try reader.next() == nil)
  }
}

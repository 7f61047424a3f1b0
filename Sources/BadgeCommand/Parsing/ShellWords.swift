// SPDX-License-Identifier: MIT

/// Splits a line into words as a shell does.
///
/// White space separates, `'…'` is literal, `"…"` allows a backslash before `"`, `\`, `$` and
/// `` ` ``, a backslash elsewhere takes the next character as it is, and `#` where a word could begin
/// starts a comment. Nothing is expanded.
struct ShellWords {
  /// Why a line cannot be split.
  struct Failure: Error, Equatable {
    var problem: String
    var rest: String
  }

  private var rest: Substring.UnicodeScalarView
  private var words: [String] = []
  private var word = ""
  private var isInWord = false

  static func split(_ line: String) throws(Failure) -> [String] {
    var splitter = ShellWords(rest: Substring(line).unicodeScalars)
    try splitter.run()
    return splitter.words
  }

  private init(rest: Substring.UnicodeScalarView) {
    self.rest = rest
  }

  private mutating func run() throws(Failure) {
    while let scalar = rest.first {
      let here = rest
      rest.removeFirst()
      switch scalar {
      case " ", "\t", "\r":
        endWord()
      case "#" where !isInWord:
        return
      case "'", "\"":
        isInWord = true
        guard takeQuoted(scalar) else {
          throw Failure(problem: "unterminated quote", rest: String(here))
        }
      case "\\":
        isInWord = true
        guard let escaped = rest.popFirst() else {
          throw Failure(problem: "backslash at the end", rest: String(here))
        }
        word.unicodeScalars.append(escaped)
      default:
        isInWord = true
        word.unicodeScalars.append(scalar)
      }
    }
    endWord()
  }

  private mutating func endWord() {
    if isInWord { words.append(word) }
    word = ""
    isInWord = false
  }

  /// Takes up to the closing quote; false if there is none.
  private mutating func takeQuoted(_ quote: Unicode.Scalar) -> Bool {
    while let scalar = rest.popFirst() {
      if scalar == quote { return true }
      if quote == "\"", scalar == "\\", let next = rest.first,
        "\"\\$`".unicodeScalars.contains(next)
      {
        rest.removeFirst()
        word.unicodeScalars.append(next)
      } else {
        word.unicodeScalars.append(scalar)
      }
    }
    return false
  }
}

/// Reads lines as they arrive, and buffers at most one.
struct LineReader {
  /// Longer lines are skipped.
  static let limit = 65_536

  enum Line: Equatable {
    case text([UInt8])
    case tooLong
  }

  private let read: () throws(CommandError) -> [UInt8]
  private var pending: ArraySlice<UInt8> = []
  private var hasEnded = false

  init(console: Console) {
    read = { () throws(CommandError) in try console.read(upTo: 4096) }
  }

  /// Reads from any source of chunks; an empty one is the end.
  init(chunks read: @escaping () throws(CommandError) -> [UInt8]) {
    self.read = read
  }

  /// The next line without its newline; nil after the last.
  mutating func next() throws(CommandError) -> Line? {
    var line: [UInt8] = []
    var isTooLong = false
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        line += pending[..<end]
        pending = pending[(end + 1)...]
        return isTooLong || line.count > Self.limit ? .tooLong : .text(line)
      }
      line += pending
      pending = []
      if line.count > Self.limit {
        isTooLong = true
        line = []
      }
      if !hasEnded {
        pending = try read()[...]
        hasEnded = pending.isEmpty
      }
      if hasEnded {
        if isTooLong { return .tooLong }
        return line.isEmpty ? nil : .text(line)
      }
    }
  }
}

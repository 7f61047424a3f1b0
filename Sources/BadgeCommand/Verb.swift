// SPDX-License-Identifier: MIT

/// One row of the verb table: from it come parsing, help, completions and the manual page.
protocol Verb {
  static var name: String { get }
  /// Shorter names for the same.
  static var aliases: [String] { get }
  /// What it does, as one phrase without a full stop.
  static var summary: String { get }
  /// What follows the name in usage lines, one line a form.
  static var synopses: [String] { get }
  static var operands: [Operand] { get }
  static var options: [Option] { get }
  /// Paragraphs for the help text and the manual page.
  static var discussion: [String] { get }
  /// Words that need to be explained one by one, such as formats.
  static var terms: Terms? { get }
  static var examples: [Example] { get }
  /// Whether a line of `batch` may use it.
  static var worksInBatch: Bool { get }

  /// Does it.
  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
}

/// A command line that works, and what it is for.
struct Example: Equatable {
  var command: String
  var purpose: String

  init(_ command: String, _ purpose: String) {
    self.command = command
    self.purpose = purpose
  }
}

/// A list of words and what each means.
struct Terms: Equatable {
  var title: String
  var words: [(name: String, meaning: String)]

  static func == (left: Terms, right: Terms) -> Bool {
    left.title == right.title && left.words.elementsEqual(right.words, by: ==)
  }
}

extension Verb {
  static var aliases: [String] { [] }
  static var operands: [Operand] { [] }
  static var options: [Option] { [] }
  static var discussion: [String] { [] }
  static var terms: Terms? { nil }
  static var examples: [Example] { [] }
  static var worksInBatch: Bool { true }

  static var synopses: [String] {
    var words = operands.map(\.display)
    if options.count == 1 {
      words.append("[--\(options[0].name)\(options[0].value.map { " " + $0 } ?? "")]")
    } else if !options.isEmpty {
      words.append("[OPTION...]")
    }
    return [words.joined(separator: " ")]
  }
}

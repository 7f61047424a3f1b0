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
  static var options: [CommandOption] { get }
  /// Paragraphs for the help text and the manual page.
  static var discussion: [String] { get }
  /// Words that need to be explained one by one, such as formats.
  static var terms: Terms? { get }
  static var examples: [Example] { get }
  /// Whether a line of `batch` may use it.
  static var worksInBatch: Bool { get }

  /// Does it.
  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode
}

/// A command line that works, and what it is for.
struct Example {
  var command: String
  var purpose: String

  init(_ command: String, _ purpose: String) {
    self.command = command
    self.purpose = purpose
  }
}

/// A list of words and what each means.
struct Terms {
  var title: String
  var words: [(name: String, meaning: String)]
}

extension Verb {
  static var names: [String] { [name] + aliases }
  static var aliases: [String] { [] }
  static var operands: [Operand] { [] }
  static var options: [CommandOption] { [] }
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

/// Every verb there is, in the order help lists them.
enum VerbTable {
  static var all: [any Verb.Type] {
    [
      SetVerb.self, IncrementVerb.self, DecrementVerb.self, ClearVerb.self, RemoveVerb.self,
      GetVerb.self, ListVerb.self, WatchVerb.self, UrgentVerb.self, AcknowledgeVerb.self,
      DismissVerb.self, AnimationsVerb.self, QuietVerb.self, StatusVerb.self, BatchVerb.self,
      ExportVerb.self, ImportVerb.self, CompletionsVerb.self, HelpVerb.self,
    ]
  }

  /// Finds a verb by its name or alias.
  ///
  /// - Throws: ``CommandError`` with status 2, with the nearest name there is.
  static func find(_ name: String) throws(CommandError) -> any Verb.Type {
    for verb in all where verb.names.contains(name) { return verb }
    let names = all.flatMap { $0.names }
    throw .unknown("unknown command", name, among: names, otherwise: "see 'badgectl help'")
  }
}

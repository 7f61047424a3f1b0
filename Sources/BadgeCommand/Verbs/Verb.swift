// SPDX-License-Identifier: MIT

/// One row of the verb table, the source of parsing, help, completions and the manual page.
protocol Verb {
  static var name: String { get }
  /// Shorter names.
  static var aliases: [String] { get }
  /// One phrase without a full stop.
  static var summary: String { get }
  /// The usage lines without the name.
  static var synopses: [String] { get }
  static var operands: [Operand] { get }
  static var options: [CommandOption] { get }
  /// Paragraphs for the help text and the manual page.
  static var discussion: [String] { get }
  /// A list of words and their meanings, such as formats.
  static var terms: Terms? { get }
  static var examples: [Example] { get }
  /// Whether `batch` accepts it.
  static var worksInBatch: Bool { get }

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode
}

/// An example command and its purpose.
struct Example {
  var command: String
  var purpose: String

  init(_ command: String, _ purpose: String) {
    self.command = command
    self.purpose = purpose
  }
}

/// A titled list of words and their meanings.
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

/// All verbs, in the order of the help.
enum VerbTable {
  static var all: [any Verb.Type] {
    [
      SetVerb.self, IncrementVerb.self, DecrementVerb.self, ClearVerb.self, RemoveVerb.self,
      GetVerb.self, ListVerb.self, WatchVerb.self, UrgentVerb.self, AcknowledgeVerb.self,
      DismissVerb.self, AnimationsVerb.self, QuietVerb.self, StatusVerb.self, BatchVerb.self,
      ExportVerb.self, ImportVerb.self, CompletionsVerb.self, HelpVerb.self,
    ]
  }

  /// Finds a verb by its name or an alias.
  static func find(_ name: String) throws(CommandError) -> any Verb.Type {
    for verb in all where verb.names.contains(name) { return verb }
    let names = all.flatMap { $0.names }
    throw .unknown("unknown command", name, among: names, otherwise: "see 'badgectl help'")
  }
}

// SPDX-License-Identifier: MIT

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
    for verb in all where verb.name == name || verb.aliases.contains(name) { return verb }
    let nearest = Suggestion.nearest(to: name, among: all.flatMap { [$0.name] + $0.aliases })
    throw CommandError.usage(
      "unknown command",
      name,
      next: nearest.map { "did you mean '\($0)'?" } ?? "see 'badgectl help'"
    )
  }
}

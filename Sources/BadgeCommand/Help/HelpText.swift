// SPDX-License-Identifier: MIT

/// The help texts, made from the verb table.
enum HelpText {
  private static let width = 80
  private static let column = 28

  /// What `badgectl help` prints.
  static func overview() -> String {
    var text = """
      badgectl: set, read and follow badges

      Usage: badgectl COMMAND [ARGUMENT...] [OPTION...]

      Commands:

      """
    for verb in VerbTable.all {
      text += row(verb.names.joined(separator: ", "), verb.summary)
    }
    text += """

      Options:
      \(row("-h, --help", "show this help, or that of a command"))\
      \(row("--version", "print the version"))
      A whole number is never taken for an option, and '--' ends the options.
      The bus is DBUS_SESSION_BUS_ADDRESS, else $XDG_RUNTIME_DIR/bus, else
      /run/user/UID/bus.

      Exit status: 0 done, 1 failed, 2 wrong usage, 3 no such badge, 4 no daemon or
      no bus.

      See 'badgectl help COMMAND' for one command, and badgectl(1) for all of them.

      """
    return text
  }

  /// What `badgectl help COMMAND` prints.
  static func page(for verb: any Verb.Type) -> String {
    var text = "badgectl \(verb.name): \(verb.summary)\n\n"
    for (index, synopsis) in verb.synopses.enumerated() {
      text += index == 0 ? "Usage: " : "       "
      text += synopsis.isEmpty ? "badgectl \(verb.name)\n" : "badgectl \(verb.name) \(synopsis)\n"
    }
    if !verb.aliases.isEmpty {
      text += "Also:  badgectl \(verb.aliases.joined(separator: ", badgectl "))\n"
    }
    for paragraph in verb.discussion {
      text += "\n" + wrap(paragraph, width: width).map { $0 + "\n" }.joined()
    }
    text += "\nOptions:\n"
    for option in verb.options + [.help] { text += row(option.display, option.summary) }
    if let terms = verb.terms {
      text += "\n\(terms.title):\n"
      for word in terms.words { text += row(word.name, word.meaning) }
    }
    if !verb.examples.isEmpty {
      text += "\nExamples:\n"
      for example in verb.examples { text += "  # \(example.purpose)\n  \(example.command)\n" }
    }
    return text
  }

  /// A name and its meaning, in two columns.
  private static func row(_ name: String, _ meaning: String) -> String {
    let lines = wrap(meaning, width: width - column)
    let head = "  " + name
    let indent = String(repeating: " ", count: column)
    // A long name gets a line of its own.
    let fits = head.count + 2 <= column
    var text = fits ? padded(head, to: column) + (lines.first ?? "") : head
    for line in fits ? lines.dropFirst() : lines[...] { text += "\n" + indent + line }
    return text + "\n"
  }
}

/// Breaks a text into lines of at most `width` characters; a longer word gets its own line.
func wrap(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if !line.isEmpty, line.count + 1 + word.count > width {
      lines.append(line)
      line = ""
    }
    line += (line.isEmpty ? "" : " ") + word
  }
  if !line.isEmpty { lines.append(line) }
  return lines
}

/// Pads a text with spaces; longer ones stay as they are.
func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

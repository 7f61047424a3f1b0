// SPDX-License-Identifier: MIT
@testable import BadgeCommand

/// The part of badgectl(1) that describes the commands, in mdoc(7), made from the verb table.
enum ManualPage {
  /// The line before the part.
  static let start =
    ".\\\" Written by HelpTests from the verb table; BADGED_RENEW_GOLDEN=1 writes it anew."
  /// The line after it.
  static let end = ".\\\" End of what HelpTests writes."

  /// Every line of the part, first and last included.
  static func commands() -> String {
    var text = start + "\n"
    for verb in VerbTable.all {
      text += ".Ss badgectl \(escape(verb.name))\n"
      text += ".Bl -item -compact -offset indent\n"
      for name in [verb.name] + verb.aliases {
        for synopsis in verb.synopses { text += ".It\n.Nm\n" + usage(name, synopsis) }
      }
      text += ".El\n.Pp\n"
      text += prose(sentence(verb.summary))
      for paragraph in verb.discussion { text += ".Pp\n" + prose(paragraph) }
      text += list(verb.options.map { (head(of: $0), $0.summary) })
      if let terms = verb.terms {
        text += ".Pp\n" + escape(terms.title) + ":\n"
        text += list(terms.words.map { ("Cm " + escape($0.name), $0.meaning) })
      }
      if !verb.examples.isEmpty {
        text += ".Pp\nFor example:\n.Bd -literal -offset indent\n"
        for example in verb.examples {
          text += escape("# " + example.purpose) + "\n" + escape(example.command) + "\n"
        }
        text += ".Ed\n"
      }
    }
    return text + end + "\n"
  }

  private static func list(_ items: [(head: String, summary: String)]) -> String {
    guard !items.isEmpty else { return "" }
    var text = ".Bl -tag -width Ds\n"
    for item in items { text += ".It \(item.head)\n" + prose(sentence(item.summary)) }
    return text + ".El\n"
  }

  private static func head(of option: CommandOption) -> String {
    var text = option.short.map { "Fl \($0) , " } ?? ""
    text += "Fl Fl " + escape(option.name)
    if let value = option.value { text += " Ar " + escape(value) }
    if let opposite = option.opposite { text += " , Fl Fl " + escape(opposite) }
    return text
  }

  /// A usage line: capitals are arguments, brackets mark what may be left out.
  private static func usage(_ name: String, _ synopsis: String) -> String {
    var line = ".Cm " + escape(name)
    for word in synopsis.split(separator: " ") {
      var body = word[...]
      if body.hasPrefix("[") {
        line += " Oo"
        body.removeFirst()
      }
      let closes = body.hasSuffix("]")
      if closes { body.removeLast() }
      for (index, part) in body.split(separator: "|").enumerated() {
        if index > 0 { line += " |" }
        let isName = part.allSatisfy { $0.isUppercase || $0 == "." }
        let macro = isName ? "Ar " : part.hasPrefix("--") ? "Fl Fl " : "Cm "
        line += " " + macro + escape(part.hasPrefix("--") ? part.dropFirst(2) : part)
      }
      if closes { line += " Oc" }
    }
    return line + "\n"
  }

  private static func sentence(_ phrase: String) -> String {
    let first = phrase.prefix(1).uppercased()
    return first + phrase.dropFirst() + (phrase.hasSuffix(".") ? "" : ".")
  }

  /// Running text: a new line for each sentence, no line too long.
  private static func prose(_ text: String) -> String {
    var lines: [String] = []
    var sentence = ""
    for word in text.split(separator: " ") {
      sentence += (sentence.isEmpty ? "" : " ") + word
      let ends = word.last.map { ".?!".contains($0) } ?? false
      if ends, word.count > 2 {
        lines += wrap(escape(sentence), width: 76)
        sentence = ""
      }
    }
    if !sentence.isEmpty { lines += wrap(escape(sentence), width: 76) }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func escape(_ text: some StringProtocol) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case _ where result.isEmpty && (character == "." || character == "'"):
        result += "\\&" + String(character)
      default: result.append(character)
      }
    }
    return result
  }
}

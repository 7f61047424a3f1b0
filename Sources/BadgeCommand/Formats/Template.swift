// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

/// A text with `{key}`, `{key:filter}` and `{{`, which is filled from a badge.
struct Template: Equatable {
  /// How a value is escaped.
  enum Filter: String, CaseIterable {
    case markup
    case json
    case shell = "sh"
  }

  private enum Piece: Equatable {
    case text(String)
    case id(Filter?)
    case label(Filter?)
    case key(BadgeKey, Filter?)
  }

  private var pieces: [Piece] = []

  /// Parses a template.
  ///
  /// - Throws: ``CommandError`` with status 2 for unbalanced braces, unknown keys and filters.
  init(_ source: String) throws(CommandError) {
    var literal = ""
    var rest = Substring(source).unicodeScalars
    while let scalar = rest.popFirst() {
      if (scalar == "{" || scalar == "}") && rest.first == scalar {
        rest.removeFirst()
        literal.unicodeScalars.append(scalar)
      } else if scalar == "{" {
        guard let end = rest.firstIndex(of: "}") else {
          throw Self.wrong("'{' without '}'", source)
        }
        if !literal.isEmpty { pieces.append(.text(literal)) }
        literal = ""
        pieces.append(try Self.field(String(rest[..<end])))
        rest = rest[rest.index(after: end)...]
      } else if scalar == "}" {
        throw Self.wrong("'}' without '{'", source)
      } else {
        literal.unicodeScalars.append(scalar)
      }
    }
    if !literal.isEmpty { pieces.append(.text(literal)) }
  }

  private static func field(_ text: String) throws(CommandError) -> Piece {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var filter: Filter?
    if parts.count > 1 {
      guard let known = Filter(rawValue: String(parts[1])) else {
        throw wrong("no such filter", String(parts[1]))
      }
      filter = known
    }
    let name = String(parts[0])
    if name == "id" { return .id(filter) }
    // Not the key itself: a dot gets a bullet, and a hidden badge nothing.
    if name == BadgeKey.label.name { return .label(filter) }
    guard let key = BadgeKey(name: name), key.isReadable else {
      let keys = ["id"] + CompletionWords.keys
      let what = "no such key in the template"
      throw .unknown(what, name, among: keys, otherwise: "see badged-dbus(5)")
    }
    return .key(key, filter)
  }

  private static func wrong(_ what: String, _ value: String) -> CommandError {
    .usage(what, value, next: "see 'badgectl help watch'")
  }

  /// The text for a badge, on one line.
  func text(for badge: BadgeState) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .id(let filter): Self.filtered(badge.id.rawValue, filter)
      case .label(let filter): Self.filtered(badge.shownText, filter)
      case .key(let key, let filter): Self.value(badge[key], filter)
      }
    }.joined()
  }

  private static func value(_ value: PropertyValue?, _ filter: Filter?) -> String {
    guard let value else { return "" }
    guard filter == .json else { return filtered(PlainText.text(value), filter) }
    var json = JSONText()
    json.append(value)
    return json.text
  }

  private static func filtered(_ text: String, _ filter: Filter?) -> String {
    let plain = Escaping.plain(text)
    switch filter {
    case nil: return plain
    case .markup: return Escaping.markup(plain)
    case .shell: return Escaping.shell(plain)
    case .json:
      var json = JSONText()
      json.append(text)
      return json.text
    }
  }
}

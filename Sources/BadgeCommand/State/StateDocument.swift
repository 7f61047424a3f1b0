// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

/// All state as JSON: what `export` prints and `import` takes.
///
/// An object of `format` (`"badged"`), `version` (1), `animations`, `quiet`, `quiet-until` and
/// `badges`, an array of objects of `id` and the keys of badged-dbus(5). On import a key of a badge
/// that is left out has its default, a setting that is left out stays, and `label` and `visible`,
/// which are worked out, are passed over.
struct StateDocument: Equatable {
  static let format = "badged"
  static let version: Int64 = 1

  var settings = ImportedSettings()
  var badges: [ImportedBadge] = []

  /// Writes the present state, a badge a line.
  static func text(_ status: ServiceStatus, _ badges: [BadgeState]) -> String {
    var head = JSONText()
    head.appendObject { json in
      json.member("format", format)
      json.member("version", version)
      json.member("animations", status.animations)
      json.member("quiet", status.isQuiet)
      json.member("quiet-until", status.quietUntil)
      json.key("badges")
    }
    let rows = badges.map { badge in
      var json = JSONText()
      json.appendExported(badge)
      return json.text
    }
    return head.text.dropLast() + "[\n" + rows.joined(separator: ",\n")
      + (rows.isEmpty ? "]}\n" : "\n]}\n")
  }

  /// Reads a document; nothing of one that is wrong anywhere is taken.
  ///
  /// - Throws: ``CommandError`` with status 1, which names the place.
  init(_ text: String) throws(CommandError) {
    let document: JSONValue
    do {
      document = try JSONParser.parse(text)
    } catch {
      throw CommandError(status: .failed, message: "not JSON: \(error)")
    }
    guard case .object(let members) = document else { throw .wrong("an object", document) }
    var format: JSONValue?
    var version: JSONValue?
    for member in members {
      switch member.name {
      case "format": format = member.value
      case "version": version = member.value
      case "badges": badges = try Self.badges(member.value)
      default:
        guard try settings.take(member) else { throw .failed("unknown member", member.name) }
      }
    }
    try settings.check()
    guard format == .string(Self.format) else {
      throw Self.wrong("format", format, "\"\(Self.format)\"")
    }
    guard version == .integer(Self.version) else {
      throw Self.wrong("version", version, "\(Self.version)")
    }
  }

  private static func wrong(_ name: String, _ found: JSONValue?, _ known: String) -> CommandError {
    let what = "not a state that badgectl knows, which has \"\(name)\": \(known)"
    guard let found else { return .failed(what, "no \"\(name)\"") }
    return .failed(what, found.text ?? found.kind)
  }

  private static func badges(_ value: JSONValue) throws(CommandError) -> [ImportedBadge] {
    guard case .array(let elements) = value else { throw .wrong("an array at 'badges'", value) }
    var badges: [ImportedBadge] = []
    var ids: Set<BadgeID> = []
    for (index, element) in elements.enumerated() {
      let badge = try ImportedBadge(element, at: "badges[\(index)]")
      guard ids.insert(badge.id).inserted else {
        throw .failed("badge given twice", badge.id.rawValue)
      }
      badges.append(badge)
    }
    return badges
  }
}

extension CommandError {
  /// A document holds something else than it should.
  static func wrong(_ expected: String, _ found: JSONValue) -> CommandError {
    guard let text = found.text, found != .null else {
      return .failed("expected \(expected), found", found.kind)
    }
    return .failed("expected \(expected), found \(found.kind)", text)
  }
}

extension JSONText {
  /// Appends what of a badge an import can use.
  fileprivate mutating func appendExported(_ badge: BadgeState) {
    appendObject { json in
      json.member("id", badge.id.rawValue)
      for key in BadgeKey.allCases where key.isReadable && !ImportedBadge.isWorkedOut(key) {
        guard let value = badge[key] else { continue }
        json.key(key.name)
        json.append(value)
      }
    }
  }
}

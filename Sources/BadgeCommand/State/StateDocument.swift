// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

/// All state as JSON: what `export` prints and `import` takes.
///
/// An object of `format` (`"badged"`), `version` (1), `animations`, `quiet`, `quiet-until` and
/// `badges`, an array of objects of `id` and the keys of badged-dbus(5). On import a key that is
/// left out has its default, and `label` and `visible`, which are worked out, are passed over.
struct StateDocument: Equatable {
  static let format = "badged"
  static let version: Int64 = 1

  var animations: Bool?
  var quiet: Bool?
  var quietUntil: UInt64?
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
    guard case .object(let members) = document else { throw Self.wrong("an object", document.kind) }
    var format: JSONValue?
    var version: JSONValue?
    for member in members {
      switch member.name {
      case "format": format = member.value
      case "version": version = member.value
      case "animations": animations = try Self.boolean(member)
      case "quiet": quiet = try Self.boolean(member)
      case "quiet-until":
        guard case .integer(let time) = member.value, time >= 0 else {
          throw Self.wrong("a time at 'quiet-until'", member.value.kind)
        }
        quietUntil = UInt64(time)
      case "badges": badges = try Self.badges(member.value)
      default: throw .failed("unknown member", member.name)
      }
    }
    guard format == .string(Self.format) else {
      throw .failed("not a state of badged", "no \"format\": \"\(Self.format)\"")
    }
    guard version == .integer(Self.version) else {
      throw .failed("unknown version of the state", "not \(Self.version)")
    }
  }

  private static func badges(_ value: JSONValue) throws(CommandError) -> [ImportedBadge] {
    guard case .array(let elements) = value else { throw wrong("an array at 'badges'", value.kind) }
    var badges: [ImportedBadge] = []
    var ids: Set<BadgeID> = []
    for element in elements {
      let badge = try ImportedBadge(element)
      guard ids.insert(badge.id).inserted else {
        throw .failed("badge given twice", badge.id.rawValue)
      }
      badges.append(badge)
    }
    return badges
  }

  private static func boolean(_ member: JSONValue.Member) throws(CommandError) -> Bool {
    guard case .boolean(let flag) = member.value else {
      throw wrong("true or false at '\(member.name)'", member.value.kind)
    }
    return flag
  }

  private static func wrong(_ expected: String, _ found: String) -> CommandError {
    .failed("expected \(expected), found", found)
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

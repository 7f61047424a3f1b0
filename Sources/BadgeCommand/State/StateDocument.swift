// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore
import Glibc

/// All badges and settings as JSON: what `export` prints and `import` reads.
///
/// An object of `format` (`"badged"`), `version` (1), `animations`, `quiet`, `quiet-until` and
/// `badges`, an array of objects with `id` and the keys of badged-dbus(5). On import a missing key
/// gets its default, a missing setting keeps its value, and `label` and `visible` are ignored.
struct StateDocument: Equatable {
  static let format = "badged"
  static let version: Int64 = 1

  var settings = ImportedSettings()
  var badges: [ImportedBadge] = []

  /// Writes the current state, one badge per line.
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

  /// Reads a document.
  ///
  /// - Throws: ``CommandError`` with status 1, which names the place of the error.
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
    let what = "not a known export format, which has \"\(name)\": \(known)"
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
  /// A document holds a value of the wrong type.
  static func wrong(_ expected: String, _ found: JSONValue) -> CommandError {
    guard let text = found.text, found != .null else {
      return .failed("expected \(expected), found", found.kind)
    }
    return .failed("expected \(expected), found \(found.kind)", text)
  }
}

extension JSONText {
  /// Appends the keys that an import can use.
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

/// The settings of a state document; a missing one keeps its value.
struct ImportedSettings: Equatable {
  private var animations: Bool?
  private var quiet: Bool?
  private var quietUntil: UInt64?

  init() {}

  /// The current settings, for undoing an import.
  init(_ status: ServiceStatus) {
    animations = status.animations
    quiet = status.isQuiet
    quietUntil = status.quietUntil
  }

  /// Takes a member of the document.
  ///
  /// - Returns: Whether it is a setting.
  /// - Throws: ``CommandError`` with status 1, which names the setting.
  mutating func take(_ member: JSONValue.Member) throws(CommandError) -> Bool {
    switch member.name {
    case "animations": animations = try Self.boolean(member)
    case "quiet": quiet = try Self.boolean(member)
    case "quiet-until":
      guard case .integer(let time) = member.value, time >= 0 else {
        throw .wrong("whole seconds since the epoch at 'quiet-until'", member.value)
      }
      quietUntil = UInt64(time)
    default: return false
    }
    return true
  }

  /// Checks that the settings do not contradict each other.
  func check() throws(CommandError) {
    guard quiet == false, let quietUntil, quietUntil > 0 else { return }
    throw .failed("'quiet' is false, and 'quiet-until' is not 0", String(quietUntil))
  }

  /// Applies the settings.
  func apply(_ client: BadgeClient) throws(ClientError) {
    if let animations { try client.setAnimations(animations) }
    guard let quietUntil, quietUntil > 0 else {
      if let quiet { try client.setQuiet(quiet) }
      return
    }
    // The daemon would have turned it off at a time that has passed.
    if quietUntil > UInt64(max(0, time(nil))) {
      try client.setQuiet(until: quietUntil)
    } else {
      try client.setQuiet(false)
    }
  }

  private static func boolean(_ member: JSONValue.Member) throws(CommandError) -> Bool {
    guard case .boolean(let flag) = member.value else {
      throw .wrong("true or false at '\(member.name)'", member.value)
    }
    return flag
  }
}

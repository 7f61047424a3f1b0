// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

/// One badge of a state document, checked by BadgeCore's rules.
struct ImportedBadge: Equatable {
  let id: BadgeID
  private var values: [BadgeKey: PropertyValue] = [:]

  /// The current badge, for undoing an import.
  init(_ state: BadgeState) {
    id = state.id
    for key in BadgeKey.allCases where key.isReadable { values[key] = state[key] }
  }

  /// Reads an element of `badges`.
  ///
  /// - Throws: ``CommandError`` with status 1 that names the badge, key and value.
  init(_ element: JSONValue, at place: String) throws(CommandError) {
    guard case .object(let members) = element else {
      throw .wrong("an object at '\(place)'", element)
    }
    guard let name = members.first(where: { $0.name == "id" })?.value else {
      throw .failed("badge without an id", place)
    }
    guard case .string(let raw) = name else { throw .wrong("a string at '\(place).id'", name) }
    do throws(BadgeError) {
      id = try BadgeID(raw)
    } catch {
      throw Self.wrong(raw, error.message)
    }
    for member in members where member.name != "id" { try take(member) }
    do throws(BadgeError) {
      _ = try BadgeUpdate(changes(replacing: nil).map { ($0.key.name, $0.value) })
    } catch {
      throw Self.wrong(raw, error.message)
    }
    try checkValue()
  }

  /// Checks and takes one key.
  private mutating func take(_ member: JSONValue.Member) throws(CommandError) {
    let given = Self.propertyValue(member.value)
    do throws(BadgeError) {
      guard let key = BadgeKey(name: member.name) else {
        throw .unknownKey(member.name, among: BadgeKey.readable)
      }
      guard key.isReadable else {
        throw .invalidKey(member.name, reason: "can only be written, and is not part of an export")
      }
      if let expected = Self.expected(inPlaceOf: given, for: key) {
        throw .invalidValue(key: key.name, value: given, expected: expected)
      }
      if key.isWritable, key != .kind { _ = try BadgeUpdate(key.name, given) }
      values[key] = Self.read(given, by: key)
    } catch {
      let text = member.value.text ?? ""
      let message = restated(error.message, key: member.name, given, as: text)
      throw Self.wrong(id.rawValue, message ?? error.message)
    }
  }

  /// What was expected, for a wrong value of a key that no update can check.
  private static func expected(inPlaceOf value: PropertyValue, for key: BadgeKey)
    -> String?
  {
    switch (key, value) {
    case (.label, .string), (.visible, .boolean), (.dismissed, .boolean): nil
    case (.label, _): "a text"
    case (.visible, _), (.dismissed, _): "true or false"
    case (.kind, .string(let name)) where Badge.Kind(rawValue: name) != nil: nil
    case (.kind, _): "one of " + Badge.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    case (.origin, .string(let name)) where Badge.Origin(rawValue: name) != nil: nil
    case (.origin, _): "one of " + Badge.Origin.allCases.map(\.rawValue).joined(separator: ", ")
    default: nil
    }
  }

  /// Whether a key is derived from others.
  static func isWorkedOut(_ key: BadgeKey) -> Bool { key == .label || key == .visible }

  /// Whether the user dismissed it at its current value.
  var isDismissed: Bool { values[.dismissed] == .boolean(true) }

  /// The changes that turn any badge into exactly this one.
  func changes(replacing state: BadgeState?) -> [(key: BadgeKey, value: PropertyValue)] {
    // A preset resets the style keys that are not given.
    var changes: [(key: BadgeKey, value: PropertyValue)] = [(.preset, .string("badge"))]
    for key in BadgeKey.allCases where key.isWritable && key.isReadable && !Self.isOfValue(key) {
      if isAnApps, Self.isAnnounced(key) { continue }
      let value = values[key] ?? (key.isResettable ? nil : key.defaultValue)
      if let value { changes.append((key, value)) }
    }
    return changes + (isAnApps ? [] : value(replacing: state))
  }

  /// The changes that set the value.
  func value(replacing state: BadgeState?) -> [(key: BadgeKey, value: PropertyValue)] {
    var named = namedSources
    for old in state?.sources ?? [] where !named.contains(where: { $0.name == old.name }) {
      named.append(SourceEntry(name: old.name, value: .integer(0)))
    }
    named.removeAll { $0.name.isEmpty }
    var changes: [(key: BadgeKey, value: PropertyValue)] = []
    switch kind {
    case "text": changes.append((.text, values[.text] ?? .string("")))
    case "number" where namedSources.isEmpty:
      changes.append((.count, values[.count] ?? .integer(0)))
    case "number":
      let unnamed = namedSources.first { $0.name.isEmpty }?.value ?? .integer(0)
      named.insert(SourceEntry(name: "", value: unnamed), at: 0)
    default: changes.append((.kind, values[.kind] ?? .string("dot")))
    }
    // Both set the unnamed source, and it can be set only once.
    if changes.contains(where: { $0.key == .count }), !named.isEmpty {
      named.insert(SourceEntry(name: "", value: changes.removeLast().value), at: 0)
    }
    if !named.isEmpty { changes.append((.sources, .sources(named))) }
    return changes
  }

  private var isAnApps: Bool { values[.origin] == .string("launcher-entry") }

  private var kind: String {
    if case .string(let kind)? = values[.kind] { return kind }
    if case .string(let text)? = values[.text], !text.isEmpty { return "text" }
    return "number"
  }

  private var namedSources: [SourceEntry] {
    guard case .sources(let entries)? = values[.sources] else { return [] }
    return entries
  }

  private static func isOfValue(_ key: BadgeKey) -> Bool {
    [.kind, .count, .text, .sources].contains(key)
  }

  /// Whether an app's announcements set the key.
  private static func isAnnounced(_ key: BadgeKey) -> Bool {
    [.urgent, .progress, .ttl].contains(key)
  }

  /// Refuses keys that contradict each other, as after editing by hand: one would be lost.
  private func checkValue() throws(CommandError) {
    let text = if case .string(let text)? = values[.text] { text } else { "" }
    guard (kind == "text") == !text.isEmpty else {
      let problem = "text: \(quoted(text)) does not go with the kind \(quoted(kind))"
      throw Self.wrong(id.rawValue, problem)
    }
    let counts = namedSources.compactMap { entry -> Int64? in
      guard case .integer(let count) = entry.value else { return nil }
      guard kind == "number" || !entry.name.isEmpty || count == 0 else { return nil }
      return count
    }
    guard counts.count == namedSources.count else {
      throw Self.wrong(id.rawValue, "sources: the unnamed one is not a number in a \(kind)")
    }
    guard kind != "number" || !counts.isEmpty, case .integer(let given)? = values[.count] else {
      return
    }
    let sum = counts.reduce(0) { BadgeCount.saturated($0 + $1) }
    guard sum != given else { return }
    throw Self.wrong(id.rawValue, "count: '\(given)' is not the sum of the sources, \(sum)")
  }

  private static func wrong(_ id: String, _ problem: String) -> CommandError {
    CommandError(status: .failed, message: "cannot import \(quoted(id)): \(problem)")
  }

  /// The checked value as the daemon would return it.
  private static func read(_ value: PropertyValue, by key: BadgeKey) -> PropertyValue {
    guard key.signature == "d", case .integer(let number) = value else { return value }
    return .double(Double(number))
  }

  private static func propertyValue(_ value: JSONValue) -> PropertyValue {
    switch value {
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .number(let number, _): .double(number)
    case .string(let text): .string(text)
    case .object(let members):
      .sources(members.map { SourceEntry(name: $0.name, value: propertyValue($0.value)) })
    case .null, .array: .unsupported(value.kind)
    }
  }
}

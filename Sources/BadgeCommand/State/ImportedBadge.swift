// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

/// One badge of a state document, checked by the domain's own rules.
struct ImportedBadge: Equatable {
  let id: BadgeID
  private var values: [BadgeKey: PropertyValue] = [:]

  /// The badge as it is now, to be put back.
  init(_ state: BadgeState) {
    id = state.id
    for key in BadgeKey.allCases where key.isReadable { values[key] = state[key] }
  }

  /// Reads an element of `badges`.
  ///
  /// - Throws: ``CommandError`` with status 1, which names badge and key.
  init(_ element: JSONValue) throws(CommandError) {
    guard case .object(let members) = element else {
      throw .failed("expected a badge, found", element.kind)
    }
    guard case .string(let raw)? = members.first(where: { $0.name == "id" })?.value else {
      throw .failed("badge without an id", members.first?.name ?? "{}")
    }
    do throws(BadgeError) {
      id = try BadgeID(raw)
      for member in members where member.name != "id" {
        guard let key = BadgeKey(name: member.name), key.isReadable else {
          throw BadgeError.invalidKey(member.name, reason: "is not a key of a badge")
        }
        values[key] = Self.value(member.value, for: key)
      }
      _ = try BadgeUpdate(changes(replacing: nil).map { ($0.key.name, $0.value) })
    } catch {
      throw Self.wrong(raw, error.message)
    }
    try checkValue()
  }

  /// Whether a key is worked out of others.
  static func isWorkedOut(_ key: BadgeKey) -> Bool { key == .label || key == .visible }

  /// Whether a person dismissed it at the value it has.
  var isDismissed: Bool { values[.dismissed] == .boolean(true) }

  /// The changes that make a badge exactly this one, whatever it was before.
  func changes(replacing state: BadgeState?) -> [(key: BadgeKey, value: PropertyValue)] {
    // A preset puts back every key of style that is not given.
    var changes: [(key: BadgeKey, value: PropertyValue)] = [(.preset, .string("badge"))]
    for key in BadgeKey.allCases where key.isWritable && key.isReadable && !Self.isOfValue(key) {
      if isAnApps, Self.isAnnounced(key) { continue }
      let value = values[key] ?? (key.isResettable ? nil : key.defaultValue)
      if let value { changes.append((key, value)) }
    }
    return changes + (isAnApps ? [] : value(replacing: state))
  }

  /// The value again, as a script would set it after it was dismissed.
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

  /// Keys that an app says itself whenever it announces its badge.
  private static func isAnnounced(_ key: BadgeKey) -> Bool {
    [.urgent, .progress, .ttl].contains(key)
  }

  /// What was mended by hand, beside keys that say otherwise, would be lost.
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
      throw Self.wrong(id.rawValue, "sources: the unnamed one is no number in a \(kind)")
    }
    guard kind != "number" || !counts.isEmpty, case .integer(let given)? = values[.count] else {
      return
    }
    let sum = counts.reduce(0) { Count.saturated($0 + $1) }
    guard sum != given else { return }
    throw Self.wrong(id.rawValue, "count: \(given) is not the sum of the sources, \(sum)")
  }

  private static func wrong(_ id: String, _ problem: String) -> CommandError {
    CommandError(status: .failed, message: "cannot import \(quoted(id)): \(problem)")
  }

  private static func value(_ value: JSONValue, for key: BadgeKey) -> PropertyValue {
    switch value {
    case .integer(let number) where key.signature == "d": .double(Double(number))
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .number(let number): .double(number)
    case .string(let text): .string(text)
    case .object(let members):
      .sources(members.map { SourceEntry(name: $0.name, value: Self.value($0.value, for: key)) })
    case .null, .array: .unsupported(value.kind)
    }
  }
}

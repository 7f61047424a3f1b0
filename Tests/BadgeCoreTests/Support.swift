// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

extension BadgeID: ExpressibleByStringLiteral {
  /// An id in a test, which must be valid.
  init(stringLiteral value: String) {
    do {
      self = try BadgeID(value)
    } catch {
      preconditionFailure(error.message)
    }
  }
}

/// The error that an expression throws; records an issue if there is none.
func failure<Value>(
  _ body: () throws(BadgeError) -> Value,
  sourceLocation: SourceLocation = #_sourceLocation
) -> BadgeError? {
  do {
    _ = try body()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

extension BadgeBook {
  /// Applies changes as a method call would.
  mutating func update(
    _ id: BadgeID,
    _ changes: [(String, PropertyValue)],
    now: Int64 = 0
  ) throws(BadgeError) -> BadgeChange {
    try update(id, with: BadgeUpdate(changes), now: now)
  }

  /// Sets the unnamed source to any value.
  mutating func set(_ value: UnnamedValue, for id: BadgeID) throws(BadgeError) -> BadgeChange {
    try set(value, for: id, at: storage.position(of: id)).change
  }

  /// What a key of a badge reads; `nil` without the badge.
  func read(_ key: BadgeKey, of id: BadgeID, now: Int64 = 0) -> PropertyValue? {
    self[id]?.value(of: key, now: now, quiet: isQuiet)
  }

  /// What subscribers see of a badge.
  func appearance(of id: BadgeID) -> BadgeAppearance? {
    self[id].map { BadgeAppearance(badge: $0, isQuiet: isQuiet) }
  }

  /// Whether a badge is present and visible.
  func shows(_ id: BadgeID) -> Bool {
    self[id]?.isVisible(quiet: isQuiet) ?? false
  }
}

extension PropertyValue {
  /// Sources with integer counts.
  static func counts(_ entries: KeyValuePairs<String, Int64>) -> PropertyValue {
    .sources(entries.map { SourceEntry(name: $0.key, value: .integer($0.value)) })
  }
}

extension AppAnnouncement {
  /// An announcement with a number, and other keys where they are given.
  init(count: Int64, isCountVisible: Bool? = nil, isUrgent: Bool? = nil, progress: Double? = nil) {
    self.init()
    self.count = count
    self.isCountVisible = isCountVisible
    self.isUrgent = isUrgent
    if let progress { setProgress(progress) }
  }
}

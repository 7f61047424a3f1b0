// SPDX-License-Identifier: MIT
import BadgeBus
public import BadgeCore
import DBus

/// One badge as the daemon last reported it.
public struct BadgeState: Hashable, Sendable {
  /// The badge's id.
  public let id: BadgeID
  /// Indexed by the keys' raw values; nil where the daemon has reported nothing.
  private var values: [PropertyValue?]

  /// Makes a badge with the given values; every other key reads as that of a new badge.
  public init(id: BadgeID, _ values: [BadgeKey: PropertyValue] = [:]) {
    self.id = id
    self.values = Array(repeating: nil, count: BadgeKey.allCases.count)
    for (key, value) in values { self.values[Int(key.rawValue)] = value }
  }

  /// The value of a key, or its default.
  public subscript(key: BadgeKey) -> PropertyValue? {
    values[Int(key.rawValue)] ?? key.defaultValue
  }

  /// Whether the daemon has reported every readable key.
  var isComplete: Bool {
    BadgeKey.allCases.allSatisfy { !$0.isReadable || values[Int($0.rawValue)] != nil }
  }

  /// Reads an `a{sv}` of keys and values, and ignores keys that only a newer daemon knows.
  mutating func apply(_ reader: inout MessageReader) throws(BusError) {
    try reader.readDictionary { name, value throws(BusError) in
      guard let key = BadgeKey(name: name) else { return }
      values[Int(key.rawValue)] = PropertyValue(try value.readVariant())
    }
  }
}

extension BadgeState {
  /// `number`, `text` or `dot`.
  public var kind: String { string(.kind) }
  /// The sum of all sources.
  public var count: Int64 { integer(.count) }
  /// The text of the unnamed source; empty where it holds none.
  public var text: String { string(.text) }
  /// What a panel draws; empty for a dot.
  public var label: String { string(.label) }
  /// Whether it shows.
  public var isVisible: Bool { self[.visible] == .boolean(true) }
  /// Whether it wants attention.
  public var isUrgent: Bool { self[.urgent] == .boolean(true) }
  /// Whether a person may remove it from a panel.
  public var isDismissable: Bool { self[.dismissable] == .boolean(true) }
  /// Whether a person did, and its value is still the same.
  public var isDismissed: Bool { self[.dismissed] == .boolean(true) }
  /// Whether a number of 0 or below hides it.
  public var hidesAtZero: Bool { self[.hideAtZero] == .boolean(true) }
  /// The cap of the label; 0 is none.
  public var maximum: Int64 { integer(.max) }
  /// 0 to 1; below 0 is none.
  public var progress: Double { double(.progress) }
  /// What it is about, for tooltips and screen readers.
  public var description: String { string(.description) }
  /// The name of an icon, for ids that have no desktop file.
  public var icon: String { string(.icon) }
  /// `native` or `launcher-entry`.
  public var origin: String { string(.origin) }
  /// `#RRGGBB` or `#RRGGBBAA`.
  public var background: String { string(.background) }
  /// `#RRGGBB` or `#RRGGBBAA`.
  public var foreground: String { string(.foreground) }

  /// Each source that is not zero, the unnamed one as ""; empty where none has a name.
  public var sources: [(name: String, count: Int64)] {
    guard case .sources(let entries)? = self[.sources] else { return [] }
    return entries.compactMap { entry in
      guard case .integer(let count) = entry.value else { return nil }
      return (entry.name, count)
    }
  }

  /// The text of a key; empty where it holds something else.
  public func string(_ key: BadgeKey) -> String {
    guard case .string(let text)? = self[key] else { return "" }
    return text
  }

  /// The whole number of a key; 0 where it holds something else.
  public func integer(_ key: BadgeKey) -> Int64 {
    guard case .integer(let number)? = self[key] else { return 0 }
    return number
  }

  /// The number of a key; 0 where it holds something else.
  public func double(_ key: BadgeKey) -> Double {
    switch self[key] {
    case .double(let number)?: number
    case .integer(let number)?: Double(number)
    default: 0
    }
  }
}

/// All badges at one revision.
public struct BadgeSnapshot: Hashable, Sendable {
  /// The revision of the last signal whose change is included.
  public var revision: UInt64
  /// Every badge, including hidden ones, sorted by id.
  public var badges: [BadgeState]

  /// Makes a snapshot of badges that are sorted by id.
  public init(revision: UInt64, badges: [BadgeState]) {
    self.revision = revision
    self.badges = badges
  }

  /// Reads the reply to `List`, and ignores entries with an invalid id.
  init(_ reader: inout MessageReader) throws(BusError) {
    revision = try reader.readUInt64()
    var badges: [BadgeState] = []
    try reader.readDictionary { name, entries throws(BusError) in
      guard let id = try? BadgeID(name) else { return }
      var badge = BadgeState(id: id)
      try badge.apply(&entries)
      badges.append(badge)
    }
    self.badges = badges.sorted { $0.id < $1.id }
  }
}

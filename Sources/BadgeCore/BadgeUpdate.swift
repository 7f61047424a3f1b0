// SPDX-License-Identifier: MIT

/// Changes of one badge, checked once, to be applied all or none.
public struct BadgeUpdate: Hashable, Sendable {
  /// What happens to the unnamed source.
  enum ValueChange: Hashable, Sendable {
    case set(UnnamedValue)
    /// An empty text was written.
    case clear
  }

  /// The unnamed source, when it is changed by `count`, `text`, `kind` or `sources`.
  private(set) var unnamed: ValueChange?
  /// The named sources that are set, in the order they were given; 0 drops one.
  private(set) var sources: [NamedCount] = []
  private(set) var preset: StylePreset?
  /// Everything that a badge simply holds.
  private(set) var settings: [BadgeSetting] = []
  /// Seconds; 0 to stay.
  private(set) var ttl: Double?
  private(set) var processID: UInt32?

  /// Checks changes by the key table.
  ///
  /// - Parameter changes: Names of keys and what they are given.
  /// - Throws: `BadgeError.invalidKey` for a key that is unknown, read only, given twice or excluded
  ///   by another; `BadgeError.invalidValue` for a value that a key does not take.
  public init(_ changes: some Sequence<(String, PropertyValue)>) throws(BadgeError) {
    var seen: BadgeKeySet = []
    for (name, value) in changes {
      guard let key = BadgeKey(name: name) else {
        throw .unknownKey(name, among: BadgeKey.writable)
      }
      guard key.isWritable else {
        throw .readOnlyKey(name)
      }
      guard !seen.contains(key) else {
        throw .invalidKey(name, reason: "is given twice")
      }
      seen.insert(key)
      try add(key, value)
    }
  }

  /// Checks a change of one key.
  ///
  /// - Throws: As `init(_:)` does.
  public init(_ name: String, _ value: PropertyValue) throws(BadgeError) {
    try self.init(CollectionOfOne((name, value)))
  }

  /// Whether it sets a value, and so makes a badge native; clearing sets none.
  public var setsValue: Bool {
    if case .set = unnamed { return true }
    return !sources.isEmpty
  }

  /// The process that the badge shall live with from now on; `nil` if none is named or the watch
  /// ends.
  public var watchedProcess: UInt32? {
    processID == 0 ? nil : processID
  }

  /// Whether an empty text is all there is: such an update makes no badge.
  var onlyClears: Bool {
    unnamed == .clear && preset == nil && settings.isEmpty && ttl == nil && processID == nil
      && sources.isEmpty
  }

  private mutating func add(_ key: BadgeKey, _ given: PropertyValue) throws(BadgeError) {
    let row = key.row
    var value = given
    if row.isResettable, given == .string(""), let defaultValue = row.defaultValue {
      value = defaultValue
    }
    guard row.accepts(value) else { throw Self.refusal(of: given, by: key) }
    switch (key, value) {
    case (.kind, _):
      try changeUnnamed(.set(.dot), by: key)
    case (.count, .integer(let count)):
      try changeUnnamed(.set(.number(count)), by: key)
    case (.text, .string(let text)):
      try changeUnnamed(try UnnamedValue.reading(text).map(ValueChange.set) ?? .clear, by: key)
    case (.sources, .sources(let entries)):
      try add(entries)
    case (.ttl, _):
      ttl = value.finiteNumber
    case (.whilePID, .integer(let number)):
      processID = UInt32(number)
    case (.preset, .string(let name)):
      preset = StylePreset(rawValue: name)
    default:
      settings.append(BadgeSetting(key: key, value: value))
    }
  }

  private mutating func add(_ entries: [SourceEntry]) throws(BadgeError) {
    for entry in entries {
      guard let count = Codec.count.decode(entry.value) else {
        throw Self.refusal(of: .sources([entry]), by: .sources)
      }
      if entry.name.isEmpty {
        try changeUnnamed(.set(.number(count)), by: .sources)
      } else {
        let name = try SourceName(entry.name, key: BadgeKey.sources.name)
        sources.append(NamedCount(name: name, count: count))
        guard sources.count <= Limits.sourcesPerCall else {
          throw .limitReached("\(Limits.sourcesPerCall) named sources a call")
        }
      }
    }
  }

  private mutating func changeUnnamed(
    _ change: ValueChange,
    by key: BadgeKey
  ) throws(BadgeError) {
    guard unnamed == nil else {
      throw .invalidKey(
        key.name,
        reason: "sets the unnamed source a second time; give one of count, text, kind, and '' in "
          + "sources"
      )
    }
    unnamed = change
  }

  private static func refusal(of value: PropertyValue, by key: BadgeKey) -> BadgeError {
    .invalidValue(key: key.name, value: value, expected: key.expected)
  }
}

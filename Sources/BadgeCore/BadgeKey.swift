// SPDX-License-Identifier: MIT

/// A key of a badge: the same name in `Get`, `List`, `Update`, `Changed`, JSON and storage.
///
/// All that is known of a key stands in its row of the key table; the names below are documented
/// there, by `summary`.
public enum BadgeKey: UInt8, CaseIterable, Sendable {
  case kind, count, text, sources, label, visible
  case hideAtZero, max, urgent, dismissable, dismissed, progress
  case description, icon, ttl, whilePID, origin
  case animate, animationAppear, animationChange, animationDisappear
  case background, foreground, font, fontSize
  case padding, minSize, fit, anchor, grow, offsetX, offsetY
  case preset

  /// Finds a key by its name, byte by byte.
  public init?(name: String) {
    // No other text of so many bytes is equivalent to one of ASCII.
    guard let key = Self.byName[name], key.name.utf8.count == name.utf8.count else { return nil }
    self = key
  }

  /// The name, such as `hide-at-zero`.
  public var name: String { row.name }

  /// The name of the property of a badge object, such as `HideAtZero`.
  public var propertyName: String { row.propertyName }

  /// The D-Bus signature of the value.
  public var signature: String { row.signature }

  /// Whether it can be read; such a key is always present.
  public var isReadable: Bool { row.read != nil }

  /// Whether `Update` takes it.
  public var isWritable: Bool { row.isWritable }

  /// Whether an empty string, whatever the key's type, puts the default back.
  public var isResettable: Bool { row.isResettable }

  /// What a new badge reads; `nil` where the contract names none.
  public var defaultValue: PropertyValue? { row.defaultValue }

  /// What the key takes, as it reads after `is not` in an error; for keys that can be written.
  public var expected: String { row.expected }

  /// One or two sentences of documentation.
  public var summary: String { row.summary }

  private static let byName = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.name, $0) }
  )

  var row: KeyRow { KeyRow.table[Int(rawValue)] }
}

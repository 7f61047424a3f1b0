// SPDX-License-Identifier: MIT

/// A key of a badge: the same name in `Get`, `List`, `Update`, `Changed`, JSON and storage.
///
/// All that is known of a key stands in its row of the key table.
public enum BadgeKey: UInt8, CaseIterable, Sendable {
  /// Number, text or dot.
  case kind
  /// The sum of all sources.
  case count
  /// The text of the unnamed source.
  case text
  /// Each source that is not zero.
  case sources
  /// What a panel draws.
  case label
  /// Whether the badge shows.
  case visible
  /// Whether a number that is not above zero is hidden.
  case hideAtZero
  /// The number above which the label is capped.
  case max
  /// Whether it wants attention.
  case urgent
  /// Whether a person may remove it.
  case dismissable
  /// Whether it is hidden since a person removed it.
  case dismissed
  /// How far something is.
  case progress
  /// What tooltips and screen readers say.
  case description
  /// The name of an icon.
  case icon
  /// Seconds until it is removed.
  case ttl
  /// The process it lives with.
  case whilePID
  /// Who set the value.
  case origin
  /// Whether hints name an animation.
  case animate
  /// What is played when it becomes visible.
  case animationAppear
  /// What is played when its label changes.
  case animationChange
  /// What is played when it becomes hidden.
  case animationDisappear
  /// The colour of the box.
  case background
  /// The colour of the label.
  case foreground
  /// The family of the font.
  case font
  /// The size of the font.
  case fontSize
  /// Added to the size of the text.
  case padding
  /// The smallest size of the box.
  case minSize
  /// Whether box or text gives way.
  case fit
  /// The point that the offsets lead from.
  case anchor
  /// Which side stays when the label grows.
  case grow
  /// From the anchor to that side.
  case offsetX
  /// From the anchor to the top, bottom or middle.
  case offsetY
  /// Resets style and animation.
  case preset

  /// The keys that `Update` takes.
  public static let writable = allCases.filter(\.isWritable)

  /// The keys that can be read.
  public static let readable = allCases.filter(\.isReadable)

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

// SPDX-License-Identifier: MIT

/// One row of the key table: everything there is to know about a key.
final class KeyRow: Sendable {
  let key: BadgeKey
  let name: String
  /// The name in CamelCase.
  let propertyName: String
  let signature: String
  let isWritable: Bool
  /// Whether an empty string restores the default.
  let isResettable: Bool
  /// Whether it is style or policy, which is kept for an id that has no badge.
  let isKept: Bool
  /// Whether it has its default in a badge without details.
  let isDetail: Bool
  let defaultValue: PropertyValue?
  let expected: String
  let summary: String
  /// Reads the key; `now` and `quiet` are those of ``value(of:now:quiet:)``.
  let read: (@Sendable (_ badge: Badge, _ now: Int64, _ quiet: Bool) -> PropertyValue)?
  /// Sets a key that is merely stored in the badge; `BadgeUpdate` handles the other writable keys.
  ///
  /// Returns false and changes nothing if the key does not take the value.
  let write: (@Sendable (inout Badge, PropertyValue) -> Bool)?
  /// Whether the key takes the value.
  let accepts: @Sendable (PropertyValue) -> Bool

  private init<Value>(
    _ key: BadgeKey,
    _ name: String,
    _ codec: Codec<Value>,
    isWritable: Bool = true,
    isResettable: Bool = false,
    isKept: Bool = false,
    isDetail: Bool = false,
    default defaultValue: PropertyValue? = nil,
    _ summary: String,
    write: (@Sendable (inout Badge, PropertyValue) -> Bool)? = nil,
    read: (@Sendable (Badge, Int64, Bool) -> PropertyValue)? = nil
  ) {
    self.key = key
    self.name = name
    propertyName =
      name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    signature = codec.signature
    self.isWritable = isWritable
    self.isResettable = isResettable
    self.isKept = isKept
    self.isDetail = isDetail
    self.defaultValue = defaultValue
    expected = isWritable ? codec.expected : ""
    self.summary = summary
    self.read = read
    self.write = write
    accepts = { isWritable && codec.decode($0) != nil }
  }

  /// What the key reads, as ``Badge/value(of:now:quiet:)`` documents.
  func value(of badge: Badge, now: Int64 = 0, quiet: Bool = false) -> PropertyValue? {
    isDetail && badge.isPlain ? defaultValue : read?(badge, now, quiet)
  }

  /// The keys stored as details, but for `ttl`, whose value changes by itself.
  static let details = table.filter { $0.isDetail && $0.key != .ttl }
}

extension KeyRow {
  /// A key that is merely stored in a badge.
  private static func stored<Value>(
    _ key: BadgeKey,
    _ name: String,
    _ codec: Codec<Value>,
    _ get: @escaping @Sendable (Badge) -> Value,
    _ set: @escaping @Sendable (inout Badge, Value) -> Void,
    isResettable: Bool = false,
    isKept: Bool = true,
    isDetail: Bool = true,
    _ summary: String
  ) -> KeyRow {
    KeyRow(
      key,
      name,
      codec,
      isResettable: isResettable,
      isKept: isKept,
      isDetail: isDetail,
      default: codec.encode(get(.plain)),
      summary,
      write: { badge, value in
        guard let value = codec.decode(value) else { return false }
        set(&badge, value)
        return true
      },
      read: { badge, _, _ in codec.encode(get(badge)) }
    )
  }

  /// A key of style or animation.
  private static func style<Value>(
    _ key: BadgeKey,
    _ name: String,
    _ codec: Codec<Value>,
    _ get: @escaping @Sendable (BadgeStyle) -> Value,
    _ set: @escaping @Sendable (inout BadgeStyle, Value) -> Void,
    _ summary: String
  ) -> KeyRow {
    stored(key, name, codec, { get($0.style) }, { set(&$0.style, $1) }, isResettable: true, summary)
  }
}

// MARK: The table

extension KeyRow {
  /// The key table, in the order of `BadgeKey`.
  // swift-format-ignore
  static let table: [KeyRow] = [
    // The value, and what panels show of it.
    KeyRow(.kind, "kind", .dot,
      "What the badge shows: number, text or dot. Only dot can be written.",
      read: { badge, _, _ in .string(badge.kind.rawValue) }),
    KeyRow(.count, "count", .count, default: .integer(0),
      "The sum of all sources (of the named ones under a text or dot), saturated at ±(2^53 − 1). "
        + "Writing sets the unnamed source.",
      read: { badge, _, _ in .integer(badge.count) }),
    KeyRow(.text, "text", .text(upTo: BadgeLimits.textBytes), default: .string(""),
      "The text of the unnamed source. A text that reads as a count is that count; an empty one "
        + "clears the badge.",
      read: { badge, _, _ in .string(badge.text) }),
    KeyRow(.sources, "sources", .sources, isDetail: true, default: .sources([]),
      "Each source that is not zero; the unnamed one is the empty name and listed when there are "
        + "named ones. Writing merges; 0 drops a source.",
      read: { badge, _, _ in
        .sources(badge.sources.map { SourceEntry(name: $0.name, value: .integer($0.count)) })
      }),
    KeyRow(.label, "label", .text(upTo: BadgeLimits.textBytes), isWritable: false,
      "What a panel draws: the number, or <max>+ above max; the text; empty for a dot.",
      read: { badge, _, _ in .string(badge.label) }),
    KeyRow(.visible, "visible", .boolean, isWritable: false,
      "Whether the badge shows: a text or dot, or a number above zero or with hide-at-zero off; "
        + "never while Quiet is on or the badge is dismissed.",
      read: { badge, _, quiet in .boolean(badge.isVisible(quiet: quiet)) }),
    // Visibility, lifetime and description.
    .stored(.hideAtZero, "hide-at-zero", .boolean,
      { $0.hidesAtZero }, { $0.hidesAtZero = $1 }, isDetail: false,
      "Whether a number that is not above zero is hidden."),
    .stored(.max, "max", .integer(0...Int64.max, expected: "a whole number from 0 to \(Int64.max)"),
      { $0.maximum }, { $0.maximum = $1 },
      "The number above which the label reads <max>+; 0 for no cap."),
    .stored(.urgent, "urgent", .boolean,
      { $0.isUrgent }, { $0.isUrgent = $1 }, isKept: false, isDetail: false,
      "Whether the badge wants attention, visible or not, until it is acknowledged."),
    .stored(.dismissable, "dismissable", .boolean,
      { $0.isDismissable }, { $0.isDismissable = $1 }, isDetail: false,
      "Whether a person may remove the badge from a panel."),
    KeyRow(.dismissed, "dismissed", .boolean, isWritable: false, default: .boolean(false),
      "Whether the badge is back with the value that a person dismissed, and hidden until the value "
        + "differs.",
      read: { badge, _, _ in .boolean(badge.isDismissed) }),
    .stored(.progress, "progress", .progress, { $0.progress }, { $0.progress = $1 }, isKept: false,
      "How far something is, 0 to 1; anything below 0 is none, and reads -1."),
    .stored(.description, "description", .text(upTo: BadgeLimits.textBytes),
      { $0.caption }, { $0.caption = $1 },
      "What tooltips and screen readers say of the badge."),
    .stored(.icon, "icon", .text(upTo: BadgeLimits.nameBytes), { $0.icon }, { $0.icon = $1 },
      "The name of an icon, for ids that have no desktop file."),
    KeyRow(.ttl, "ttl", .size, isDetail: true, default: .double(0),
      "Seconds until the badge is removed (expired); 0 stays. Reads the seconds left; signalled only "
        + "when set or ended.",
      read: { badge, now, _ in .double(badge.secondsLeft(now: now)) }),
    KeyRow(.whilePID, "while-pid", .processID,
      "The badge is removed (owner-gone) when the process of this id ends; 0 ends the watch."),
    KeyRow(.origin, "origin", Codec<Badge.Origin>.name, isWritable: false,
      "Who set the value: native, by a method of the daemon, or launcher-entry, by the app itself.",
      read: { badge, _, _ in .string(badge.origin.rawValue) }),
    // Style and animation, and the key that resets them.
    .style(.animate, "animate", .boolean, { $0.animates }, { $0.animates = $1 },
      "Whether the badge's hints name an animation at all."),
    .style(.animationAppear, "animation-appear", .name, { $0.appear }, { $0.appear = $1 },
      "What is played when the badge becomes visible, by its name in the catalogue."),
    .style(.animationChange, "animation-change", .name, { $0.change }, { $0.change = $1 },
      "What is played when the label changes, by its name in the catalogue."),
    .style(.animationDisappear, "animation-disappear", .name,
      { $0.disappear }, { $0.disappear = $1 },
      "What is played when the badge becomes hidden or is removed, by its name in the catalogue."),
    .style(.background, "background", .color, { $0.background }, { $0.background = $1 },
      "The colour of the box: #RGB, #RRGGBB or #RRGGBBAA; reads as #RRGGBB[AA], upper case."),
    .style(.foreground, "foreground", .color, { $0.foreground }, { $0.foreground = $1 },
      "The colour of the label: #RGB, #RRGGBB or #RRGGBBAA; reads as #RRGGBB[AA], upper case."),
    .style(.font, "font", .text(upTo: BadgeLimits.nameBytes), { $0.font }, { $0.font = $1 },
      "The family of the font; empty for the panel's own."),
    .style(.fontSize, "font-size", .size, { $0.fontSize }, { $0.fontSize = $1 },
      "The size of the font in pixels."),
    .style(.padding, "padding", .size, { $0.padding }, { $0.padding = $1 },
      "Pixels added once to the height and once to the width of the box."),
    .style(.minSize, "min-size", .size, { $0.minimumSize }, { $0.minimumSize = $1 },
      "The smallest height, and width, of the box in pixels."),
    .style(.fit, "fit", .name, { $0.fit }, { $0.fit = $1 },
      "grow: the box grows with the text; shrink: the box stays at min-size and the text is scaled "
        + "down to fit."),
    .style(.anchor, "anchor", .name, { $0.anchor }, { $0.anchor = $1 },
      "The point that the offsets lead from: a corner or the center of what carries the badge."),
    .style(.grow, "grow", .name, { $0.grow }, { $0.grow = $1 },
      "Which side of the box the horizontal offset leads to, and stays when the label grows: tail "
        + "the left, middle the middle, head the right."),
    .style(.offsetX, "offset-x", .offset, { $0.offsetX }, { $0.offsetX = $1 },
      "Pixels from the anchor to the side of the box that stays."),
    .style(.offsetY, "offset-y", .offset, { $0.offsetY }, { $0.offsetY = $1 },
      "Pixels from the anchor to the top of the box, to its bottom for bottom anchors, to its middle "
        + "for center."),
    KeyRow(.preset, "preset", Codec<BadgePreset>.name,
      "Resets every style and animation key to a preset, badge or counter; then the other keys of "
        + "the call apply."),
  ]
}

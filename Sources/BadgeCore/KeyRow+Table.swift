// SPDX-License-Identifier: MIT

extension KeyRow {
  /// The key table, in the order of `BadgeKey`: value, policy, style.
  static let table = value + policy + style + presets

  private static let value: [KeyRow] = [
    .special(
      .kind,
      "kind",
      .onlyDot,
      "What the badge shows: number, text or dot. Only dot can be written."
    ) { badge, _ in .string(badge.kind.rawValue) },
    .special(
      .count,
      "count",
      .count,
      default: .integer(0),
      "The sum of all sources (of the named ones under a text or dot), saturated at ±(2^53 − 1). "
        + "Writing sets the unnamed source."
    ) { badge, _ in .integer(badge.count) },
    .special(
      .text,
      "text",
      .text(upTo: Limits.textBytes),
      default: .string(""),
      "The text of the unnamed source. A text that reads as a count is that count; an empty one "
        + "clears the badge."
    ) { badge, _ in .string(badge.text) },
    .special(
      .sources,
      "sources",
      .sources,
      default: .sources([]),
      isDetail: true,
      "Each source that is not zero; the unnamed one is the empty name and listed when there are "
        + "named ones. Writing merges; 0 drops a source."
    ) { badge, _ in
      .sources(badge.sources.map { SourceEntry(name: $0.name, value: .integer($0.count)) })
    },
    .computed(
      .label,
      "label",
      "s",
      default: nil,
      "What a panel draws: the number, or <max>+ above max; the text; empty for a dot."
    ) { badge, _ in .string(badge.label) },
    .computed(
      .visible,
      "visible",
      "b",
      default: nil,
      "Whether the badge shows: a text or dot, or a number above zero or with hide-at-zero off; "
        + "never while Quiet is on or the badge is dismissed."
    ) { badge, moment in .boolean(badge.isVisible(quiet: moment.isQuiet)) },
  ]

  private static let policy: [KeyRow] = [
    .stored(
      .hideAtZero,
      "hide-at-zero",
      { $0.hidesAtZero },
      { $0.hidesAtZero = $1 },
      .boolean,
      isDetail: false,
      "Whether a number that is not above zero is hidden."
    ),
    .stored(
      .max,
      "max",
      { $0.maximum },
      { $0.maximum = $1 },
      .integer(0...Int64.max, expected: "a whole number of 0 or above"),
      "The number above which the label reads <max>+; 0 for no cap."
    ),
    .stored(
      .urgent,
      "urgent",
      { $0.isUrgent },
      { $0.isUrgent = $1 },
      .boolean,
      isLook: false,
      isDetail: false,
      "Whether the badge wants attention, visible or not, until it is acknowledged."
    ),
    .stored(
      .dismissable,
      "dismissable",
      { $0.isDismissable },
      { $0.isDismissable = $1 },
      .boolean,
      isDetail: false,
      "Whether a person may remove the badge from a panel."
    ),
    .computed(
      .dismissed,
      "dismissed",
      "b",
      default: .boolean(false),
      "Whether the badge is back with the value that a person dismissed, and hidden until the value "
        + "differs."
    ) { badge, _ in .boolean(badge.isDismissed) },
    .stored(
      .progress,
      "progress",
      { $0.progress },
      { $0.progress = $1 },
      .progress,
      isLook: false,
      "How far something is, 0 to 1; anything below 0 is none, and reads -1."
    ),
    .stored(
      .description,
      "description",
      { $0.caption },
      { $0.caption = $1 },
      .text(upTo: Limits.textBytes),
      "What tooltips and screen readers say of the badge."
    ),
    .stored(
      .icon,
      "icon",
      { $0.icon },
      { $0.icon = $1 },
      .text(upTo: Limits.nameBytes),
      "The name of an icon, for ids that have no desktop file."
    ),
    .special(
      .ttl,
      "ttl",
      .size,
      default: .double(0),
      isDetail: true,
      "Seconds until the badge is removed (expired); 0 stays. Reads the seconds left; signalled only "
        + "when set or ended."
    ) { badge, moment in .double(badge.secondsLeft(now: moment.now)) },
    .special(
      .whilePID,
      "while-pid",
      .processID,
      "The badge is removed (owner-gone) when the process of this id ends; 0 ends the watch."
    ),
    .computed(
      .origin,
      "origin",
      "s",
      default: nil,
      "Who set the value: native, by a method of the daemon, or launcher-entry, by the app itself."
    ) { badge, _ in .string(badge.origin.rawValue) },
  ]

  private static let style: [KeyRow] = [
    .style(
      .animate,
      "animate",
      { $0.animates },
      { $0.animates = $1 },
      .boolean,
      "Whether the badge's hints name an animation at all."
    ),
    .style(
      .animationAppear,
      "animation-appear",
      { $0.appear },
      { $0.appear = $1 },
      .name,
      "What is played when the badge becomes visible, by its name in the catalogue."
    ),
    .style(
      .animationChange,
      "animation-change",
      { $0.change },
      { $0.change = $1 },
      .name,
      "What is played when the label changes, by its name in the catalogue."
    ),
    .style(
      .animationDisappear,
      "animation-disappear",
      { $0.disappear },
      { $0.disappear = $1 },
      .name,
      "What is played when the badge becomes hidden or is removed, by its name in the catalogue."
    ),
    .style(
      .background,
      "background",
      { $0.background },
      { $0.background = $1 },
      .color,
      "The colour of the box: #RGB, #RRGGBB or #RRGGBBAA; reads as #RRGGBB[AA], upper case."
    ),
    .style(
      .foreground,
      "foreground",
      { $0.foreground },
      { $0.foreground = $1 },
      .color,
      "The colour of the label: #RGB, #RRGGBB or #RRGGBBAA; reads as #RRGGBB[AA], upper case."
    ),
    .style(
      .font,
      "font",
      { $0.font },
      { $0.font = $1 },
      .text(upTo: Limits.nameBytes),
      "The family of the font; empty for the panel's own."
    ),
    .style(
      .fontSize,
      "font-size",
      { $0.fontSize },
      { $0.fontSize = $1 },
      .size,
      "The size of the font in pixels."
    ),
    .style(
      .padding,
      "padding",
      { $0.padding },
      { $0.padding = $1 },
      .size,
      "Pixels added once to the height and once to the width of the box."
    ),
    .style(
      .minSize,
      "min-size",
      { $0.minimumSize },
      { $0.minimumSize = $1 },
      .size,
      "The smallest height, and width, of the box in pixels."
    ),
    .style(
      .fit,
      "fit",
      { $0.fit },
      { $0.fit = $1 },
      .name,
      "grow: the box grows with the text; shrink: the box stays at min-size and the text is scaled "
        + "down to fit."
    ),
    .style(
      .anchor,
      "anchor",
      { $0.anchor },
      { $0.anchor = $1 },
      .name,
      "The point that the offsets lead from: a corner or the center of what carries the badge."
    ),
    .style(
      .grow,
      "grow",
      { $0.grow },
      { $0.grow = $1 },
      .name,
      "Which side of the box the horizontal offset leads to, and stays when the label grows: tail "
        + "the left, middle the middle, head the right."
    ),
    .style(
      .offsetX,
      "offset-x",
      { $0.offsetX },
      { $0.offsetX = $1 },
      .offset,
      "Pixels from the anchor to the side of the box that stays."
    ),
    .style(
      .offsetY,
      "offset-y",
      { $0.offsetY },
      { $0.offsetY = $1 },
      .offset,
      "Pixels from the anchor to the top of the box, to its bottom for bottom anchors, to its middle "
        + "for center."
    ),
  ]

  private static let presets: [KeyRow] = [
    .special(
      .preset,
      "preset",
      Codec<StylePreset>.name,
      "Resets every style and animation key to a preset, badge or counter; then the other keys of "
        + "the call apply."
    )
  ]
}

extension Codec where Value == Int64 {
  /// A count within the bounds.
  static let count = integer(
    Count.minimum...Count.maximum,
    expected: "a whole number within ±\(Count.maximum)"
  )

  fileprivate static let processID = integer(
    0...Int64(Int32.max),
    signature: "u",
    expected: "a process id, or 0 for none"
  )
}

extension Codec where Value == Void {
  fileprivate static let onlyDot = Codec(
    signature: "s",
    expected: "dot, the only kind that can be written",
    decode: { $0 == .string(Badge.Kind.dot.rawValue) ? () : nil },
    encode: { .string(Badge.Kind.dot.rawValue) }
  )
}

extension Codec where Value == [SourceEntry] {
  fileprivate static let sources = Codec(
    signature: "a{sx}",
    expected: "a dictionary from source names to whole numbers within ±\(Count.maximum)",
    decode: { if case .sources(let entries) = $0 { entries } else { nil } },
    encode: PropertyValue.sources
  )
}

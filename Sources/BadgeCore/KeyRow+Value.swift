// SPDX-License-Identifier: MIT

extension KeyRow {
  /// The keys that tell what a badge holds and shows.
  static let value: [KeyRow] = [
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

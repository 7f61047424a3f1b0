// SPDX-License-Identifier: MIT
import BadgeCore

/// The options of `set`: every key that can be written, from the key table, and four for people.
enum KeyOptions {
  static var all: [Option] {
    [
      Option(
        name: "source",
        short: "s",
        value: "NAME",
        summary: "set that named source to VALUE, a whole number"
      ),
      Option(name: "dot", summary: "show a dot, in place of a VALUE"),
      Option(
        name: "show-zero",
        opposite: "hide-zero",
        summary: "show the badge at zero and below too, or not (--hide-at-zero)"
      ),
    ] + BadgeKey.allCases.filter(\.isWritable).map(option)
  }

  /// A key and what it is given.
  typealias Change = (key: BadgeKey, value: PropertyValue)

  private static func option(for key: BadgeKey) -> Option {
    let isSwitch = key.signature == "b"
    return Option(
      name: key.name,
      opposite: isSwitch ? "no-" + key.name : nil,
      value: isSwitch ? nil : valueName(of: key),
      completion: completion(of: key),
      takesSwitch: isSwitch,
      summary: summary(of: key)
    )
  }

  /// What writing does, where the key's documentation tells what it reads.
  private static func summary(of key: BadgeKey) -> String {
    switch key {
    case .kind: "show a dot, as --dot does"
    case .count: "show N, as a VALUE that is a whole number does"
    case .text:
      "show TEXT, as a VALUE does; one that reads as a count is that count, an empty one clears "
        + "the badge"
    case .sources:
      "set each named source to its N and leave the others; 0 ends one, and the empty name is the "
        + "unnamed source"
    case .progress: "show how far something is, 0 to 1; anything below 0 is none"
    case .ttl: "remove the badge after so many seconds (expired); 0 lets it stay"
    case .whilePID:
      "remove the badge (owner-gone) when the process of this id ends; 0 ends the watch"
    case .background: "the colour of the box: #RGB, #RRGGBB or #RRGGBBAA"
    case .foreground: "the colour of the label: #RGB, #RRGGBB or #RRGGBBAA"
    case .preset:
      "put every style and animation key back to a preset, badge or counter; then the other "
        + "options apply"
    default: phrase(key.summary)
    }
  }

  private static func valueName(of key: BadgeKey) -> String {
    switch key {
    case .background, .foreground: "COLOUR"
    case .kind: "dot"
    case .text, .description: "TEXT"
    case .sources: "NAME=N,..."
    case .ttl: "SECONDS"
    case .whilePID: "PID"
    default: key.signature == "x" ? "N" : key.signature == "d" ? "NUMBER" : "NAME"
    }
  }

  private static func completion(of key: BadgeKey) -> Completion {
    switch key {
    case .kind: .oneOf(["dot"])
    case .anchor: .oneOf(BadgeAnchor.allCases.map(\.rawValue))
    case .fit: .oneOf(BadgeFit.allCases.map(\.rawValue))
    case .grow: .oneOf(BadgeGrow.allCases.map(\.rawValue))
    case .preset: .oneOf(BadgePreset.allCases.map(\.rawValue))
    case .animationAppear, .animationChange, .animationDisappear:
      .oneOf(AnimationName.allCases.map(\.rawValue))
    default: .nothing
    }
  }

  /// A sentence of documentation as help lists it.
  private static func phrase(_ summary: String) -> String {
    let isWord = summary.dropFirst().first?.isLowercase ?? false
    let start = isWord ? summary.prefix(1).lowercased() : String(summary.prefix(1))
    return start + (summary.hasSuffix(".") ? summary.dropFirst().dropLast() : summary.dropFirst())
  }
}

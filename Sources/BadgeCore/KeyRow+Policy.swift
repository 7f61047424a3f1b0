// SPDX-License-Identifier: MIT

extension KeyRow {
  /// The keys that tell when a badge shows, for how long, and what is said of it.
  static let policy: [KeyRow] = [
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
      .integer(0...Int64.max, expected: "a whole number from 0 to \(Int64.max)"),
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
}

extension Codec where Value == Int64 {
  fileprivate static let processID = integer(
    0...Int64(Int32.max),
    signature: "u",
    expected: "a process id, or 0 for none"
  )
}

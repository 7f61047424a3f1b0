// SPDX-License-Identifier: MIT

/// The formats of `watch`.
enum WatchFormat: String, CaseIterable {
  case plain, json, waybar, polybar, i3blocks
  case i3statusRust = "i3status-rs"
  case yambar, eww

  /// What reads it.
  var summary: String {
    switch self {
    case .plain: "the label, or an empty line; several badges have id and label with a tab between"
    case .json: "an object for each event, with the whole badge and the animation to play"
    case .waybar: "Waybar's custom modules, with \"return-type\": \"json\""
    case .polybar: "polybar's custom/script, with tail = true, in the badge's colours"
    case .i3blocks: "i3blocks, with interval=persist and format=json"
    case .i3statusRust: "i3status-rust's custom block, with persistent and json"
    case .yambar: "yambar's script module: tags id, text, kind, count, visible, urgent, description"
    case .eww: "eww's deflisten, and whatever reads one object with all of the state"
    }
  }

  static func named(_ name: String) throws(CommandError) -> WatchFormat {
    if let format = WatchFormat(rawValue: name) { return format }
    let names = allCases.map(\.rawValue)
    let nearest = Suggestion.nearest(to: name, among: names)
    throw .usage(
      "no such format",
      name,
      next: nearest.map { "did you mean '\($0)'?" } ?? "one of \(names.joined(separator: ", "))"
    )
  }
}

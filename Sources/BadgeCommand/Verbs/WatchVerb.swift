// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

enum WatchVerb: Verb {
  static let name = "watch"
  static let summary = "print the current state, then each change"
  static let worksInBatch = false
  static var operands: [Operand] { [Operand(name: "ID", arity: .any, completion: .badge)] }
  static var options: [CommandOption] {
    [
      CommandOption(
        name: "format",
        short: "f",
        value: "FORMAT",
        completion: .oneOf(WatchFormat.allCases.map(\.rawValue)),
        summary: "the output format, see below; plain by default"
      ),
      .json,
      CommandOption(
        name: "template",
        short: "t",
        value: "TEXT",
        summary:
          "print TEXT with {id} and {key} replaced by their values; {key:markup}, {key:json} and "
          + "{key:sh} also escape them"
      ),
      CommandOption(name: "total", summary: "print the sum of all badges"),
      CommandOption(
        name: "hide",
        value: "HOW",
        completion: .oneOf(["empty", "blank"]),
        summary:
          "what waybar gets for a hidden badge: empty (an object without text and with the class "
          + "hidden) or blank (an empty line)"
      ),
    ]
  }
  static var discussion: [String] {
    [
      "Without an ID, all badges are watched. A terminal shows a live list unless a format is given; "
        + "other output gets lines, each in a single write. An absent badge is printed as hidden, as "
        + "are all badges once the daemon has been away for two seconds; watching continues when it "
        + "is back. The command ends when its reader does, even if nothing changes.",
      "With json each line is an object with the members that apply: event (state, changed, removed or "
        + "down), id, badge, animation, reason and revision. The badge has all its keys, and is left "
        + "out if it is absent.",
      "A bar's module shows several badges side by side. A template for one badge prints an empty "
        + "line while the badge is hidden.",
    ]
  }
  static var terms: Terms? {
    Terms(title: "Formats", words: WatchFormat.allCases.map { ($0.rawValue, $0.summary) })
  }
  static let examples = [
    Example("badgectl watch --format waybar mail", "for a Waybar module"),
    Example("badgectl watch --total", "the sum of all badges"),
    Example("badgectl watch --template '{id} {count}'", "a line for each change of each badge"),
  ]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    let ids = try ids(arguments.operands)
    let printer = try printer(arguments, ids: ids, session: session)
    return try WatchRun.run(printer, ids: ids, in: session)
  }

  /// The ids without duplicates; nil means all badges.
  private static func ids(_ operands: [String]) throws(CommandError) -> [BadgeID]? {
    guard !operands.isEmpty else { return nil }
    var ids: [BadgeID] = []
    for operand in operands {
      do {
        let id = try BadgeID(operand)
        if !ids.contains(id) { ids.append(id) }
      } catch {
        throw CommandError(status: .failed, message: error.message)
      }
    }
    return ids
  }

  /// The printer that the options ask for.
  static func printer(_ arguments: Arguments, ids: [BadgeID]?, session: Session)
    throws(CommandError) -> any WatchPrinter
  {
    let total = arguments.has("total")
    let isOne = total || ids?.count == 1
    let named = try arguments.value(of: "format").map(WatchFormat.named)
    let template = try arguments.value(of: "template").map(Template.init)
    if template != nil, named != nil || arguments.has("json") || total {
      throw .usage("--template excludes --format, --json and --total", "--template")
    }
    if arguments.has("json"), let named, named != .json {
      throw .usage("--json conflicts with --format", named.rawValue)
    }
    if let template { return Self.printer(template, isOne: isOne) }
    let format = arguments.has("json") ? .json : named
    if format == nil, !total, session.console.isTerminal {
      let console = session.console
      return ScreenPrinter(depth: ColorDepth(environment: session.environment)) {
        console.windowSize
      }
    }
    let hidesByBlank = try hidesByBlank(arguments)
    return printer(format ?? .plain, total: total, isOne: isOne, hidesByBlank: hidesByBlank)
  }

  private static func hidesByBlank(_ arguments: Arguments) throws(CommandError) -> Bool {
    switch arguments.value(of: "hide") {
    case nil, "empty"?: return false
    case "blank"?: return true
    case .some(let other): throw .usage("expected 'empty' or 'blank'", other)
    }
  }

  private static func printer(_ template: Template, isOne: Bool) -> any WatchPrinter {
    guard isOne else { return LinePrinter { template.text(for: $0) } }
    return WholePrinter { state in
      guard let badge = state.shown.first?.badge, badge.isVisible else { return "\n" }
      return template.text(for: badge) + "\n"
    }
  }

  private static func printer(
    _ format: WatchFormat,
    total: Bool,
    isOne: Bool,
    hidesByBlank: Bool
  ) -> any WatchPrinter {
    let bar: any BarFormat
    switch format {
    case .plain where !isOne:
      return LinePrinter { badge in
        "\(Escaping.plain(badge.id.rawValue))\t\(Escaping.plain(badge.shownText))"
      }
    case .plain: return WholePrinter { $0.plainLine(total: total) }
    case .json where !total: return JSONPrinter()
    case .json: return WholePrinter { $0.totalObject() }
    case .eww: return WholePrinter { $0.wholeObject(total: total) }
    case .waybar: bar = WaybarFormat(hidesByBlank: hidesByBlank)
    case .polybar: bar = PolybarFormat()
    case .i3blocks: bar = I3BlocksFormat()
    case .i3statusRust: bar = I3StatusFormat()
    case .yambar: bar = YambarFormat()
    }
    return WholePrinter { bar.update(for: $0.view(total: total)) }
  }
}

/// The formats of `watch`.
enum WatchFormat: String, CaseIterable {
  case plain, json, waybar, polybar, i3blocks
  case i3statusRust = "i3status-rs"
  case yambar, eww

  /// What reads the format.
  var summary: String {
    switch self {
    case .plain: "the label, or an empty line; for several badges id, tab, label"
    case .json: "an object per event, with the whole badge and the animation to play"
    case .waybar: "Waybar's custom modules, with \"return-type\": \"json\""
    case .polybar: "polybar's custom/script, with tail = true, in the badge's colours"
    case .i3blocks: "i3blocks, with interval=persist and format=json"
    case .i3statusRust: "i3status-rust's custom block, with persistent and json"
    case .yambar: "yambar's script module: tags id, text, kind, count, visible, urgent, description"
    case .eww: "eww's deflisten, and other readers of one object with the whole state"
    }
  }

  static func named(_ name: String) throws(CommandError) -> WatchFormat {
    if let format = WatchFormat(rawValue: name) { return format }
    let names = allCases.map(\.rawValue)
    let otherwise = "one of \(names.joined(separator: ", "))"
    throw .unknown("no such format", name, among: names, otherwise: otherwise)
  }
}

// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

enum WatchVerb: Verb {
  static let name = "watch"
  static let summary = "print the present state, then each change"
  static let worksInBatch = false
  static var operands: [Operand] { [Operand(name: "ID", arity: .any, completion: .badge)] }
  static var options: [CommandOption] {
    [
      CommandOption(
        name: "format",
        short: "f",
        value: "FORMAT",
        completion: .oneOf(WatchFormat.allCases.map(\.rawValue)),
        summary: "how to print, see below; plain unless given"
      ),
      .json,
      CommandOption(
        name: "template",
        short: "t",
        value: "TEXT",
        summary:
          "print TEXT with {id} and {key} filled in, and {key:markup}, {key:json} or {key:sh}"
          + " made safe for where it goes"
      ),
      CommandOption(name: "total", summary: "print one number over all of the badges"),
      CommandOption(
        name: "hide",
        value: "HOW",
        completion: .oneOf(["empty", "blank"]),
        summary: "what waybar gets for a hidden badge: empty, an object without text and with the "
          + "class hidden, or blank, an empty line"
      ),
    ]
  }
  static var discussion: [String] {
    [
      "Without an ID all badges are watched. A terminal gets a live picture unless a format is "
        + "given; anything else gets lines, each written whole at once. An absent badge is printed "
        + "as a hidden one, and so is a daemon that is away for more than two seconds; when it is "
        + "back, things go on. It ends when its reader does, also while nothing changes.",
      "A line of json is an object of event (state, changed, removed or down), id, badge, animation, "
        + "reason and revision, with what applies; badge is whole, and left out where there is none.",
      "A bar's module shows several badges side by side. A template for one badge prints an empty "
        + "line while that is hidden.",
    ]
  }
  static var terms: Terms? {
    Terms(title: "Formats", words: WatchFormat.allCases.map { ($0.rawValue, $0.summary) })
  }
  static let examples = [
    Example("badgectl watch --format waybar mail", "for a module of Waybar"),
    Example("badgectl watch --total", "one number over all badges"),
    Example("badgectl watch --template '{id} {count}'", "a line for each change of each badge"),
  ]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    let ids = try ids(arguments.operands)
    let printer = try printer(arguments, ids: ids, session: session)
    return try WatchRun.run(printer, ids: ids, in: session)
  }

  /// The ids without repetitions; nil is all badges.
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

  /// What turns events into lines, as the options ask for it.
  static func printer(_ arguments: Arguments, ids: [BadgeID]?, session: Session)
    throws(CommandError) -> any WatchPrinter
  {
    let total = arguments.has("total")
    let isOne = total || ids?.count == 1
    let named = try arguments.value(of: "format").map(WatchFormat.named)
    let template = try arguments.value(of: "template").map(Template.init)
    if template != nil, named != nil || arguments.has("json") || total {
      throw .usage("--template goes with no format and no total", "--template")
    }
    if arguments.has("json"), let named, named != .json {
      throw .usage("--json is another format", named.rawValue)
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
    case .some(let other): throw .usage("neither empty nor blank", other)
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

// SPDX-License-Identifier: MIT
import BadgeCore

/// One badge as bars show it.
struct BarItem: Equatable {
  var id: String
  var kind = "number"
  /// The label, or a bullet for a dot; empty while hidden.
  var text = ""
  var count: Int64 = 0
  var isVisible = false
  var isUrgent = false
  var max: Int64 = 0
  var progress = -1.0
  var description = ""
  var background = ""
  var foreground = ""

  /// The exact value, even if the label is capped.
  var value: String {
    kind == "number" ? String(count) : text
  }

  /// 0 to 100: the progress if there is one, otherwise the count relative to `max`.
  var percentage: Int64 {
    if progress >= 0 { return Int64((Swift.min(progress, 1) * 100).rounded()) }
    guard kind == "number" else { return isVisible ? 100 : 0 }
    guard count > 0 else { return 0 }
    guard max > 0, count < max else { return 100 }
    return Int64((100 * Double(count) / Double(max)).rounded())
  }

  /// The sum of the visible numbers.
  static func total(of items: [BarItem]) -> BarItem {
    let counts = items.filter { $0.isVisible && $0.kind == "number" }.map(\.count)
    let limit: Int64 = (1 << 53) - 1
    let sum = counts.reduce(0) { Swift.max(-limit, Swift.min(limit, $0 + $1)) }
    return BarItem(
      id: "total",
      text: sum == 0 ? "" : String(sum),
      count: sum,
      isVisible: sum != 0,
      isUrgent: items.contains(where: \.isUrgent)
    )
  }

  /// Several badges side by side, for formats that have one text.
  static func joined(_ items: [BarItem]) -> BarItem {
    if items.count == 1 { return items[0] }
    let visible = items.filter(\.isVisible)
    var item = total(of: items)
    item.id = "badges"
    item.kind = "several"
    item.text = visible.map(\.text).joined(separator: " ")
    item.isVisible = !visible.isEmpty
    return item
  }
}

/// What a bar shows: badges side by side, and the animation of the last change.
struct BarView: Equatable {
  var items: [BarItem]
  /// Whether the daemon answers.
  var isConnected = true
  /// The class that plays the last change's animation, such as `bounce-a`.
  var motionClass: String?
}

/// A format that writes everything a bar's module shows at once.
protocol BarFormat {
  /// The text for one update, with its line ends.
  func update(for view: BarView) -> String
}

/// Waybar `custom` modules with `"return-type": "json"`: waybar-custom(5).
struct WaybarFormat: BarFormat {
  /// Whether an empty line is printed for a hidden badge, which hides the whole module.
  var hidesByBlank = false

  func update(for view: BarView) -> String {
    let item = BarItem.joined(view.items)
    if hidesByBlank, !item.isVisible { return "\n" }
    var classes = ["badge", item.kind]
    if !item.isVisible { classes.append("hidden") }
    if item.isUrgent { classes.append("urgent") }
    if !view.isConnected { classes.append("disconnected") }
    if let motion = view.motionClass { classes.append(motion) }

    var json = JSONText()
    json.appendObject { json in
      json.member("text", Escaping.markup(Escaping.plain(item.text)))
      json.member("alt", Escaping.markup(item.id))
      json.member("tooltip", Escaping.markup(tooltip(of: view.items)))
      json.key("class")
      json.appendArray { json in for name in classes { json.append(name) } }
      json.member("percentage", item.percentage)
    }
    return json.text + "\n"
  }

  private func tooltip(of items: [BarItem]) -> String {
    let shown = items.count == 1 ? items : items.filter(\.isVisible)
    return shown.map { item in
      let lines = [item.description, "\(item.id): \(item.value)"]
      return lines.filter { !$0.isEmpty }.map(Escaping.plain).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

/// polybar `custom/script` modules with `tail = true`; an empty line hides the module.
struct PolybarFormat: BarFormat {
  func update(for view: BarView) -> String {
    view.items.filter(\.isVisible).map(segment).joined(separator: " ") + "\n"
  }

  private func segment(_ item: BarItem) -> String {
    let ground = color(item.background).map { "%{B\($0)}" } ?? ""
    let ink = color(item.foreground).map { "%{F\($0)}" } ?? ""
    let end = (ink.isEmpty ? "" : "%{F-}") + (ground.isEmpty ? "" : "%{B-}")
    return "\(ground)\(ink) \(Escaping.polybar(item.text)) \(end)"
  }

  /// polybar's colours have the alpha first: `#AARRGGBB`.
  private func color(_ text: String) -> String? {
    guard BadgeColor(text) != nil else { return nil }
    return text.utf8.count == 9 ? "#" + text.suffix(2) + text.dropFirst().dropLast(2) : text
  }
}

/// i3blocks with `interval=persist` and `format=json`; an empty text leaves the block out.
struct I3BlocksFormat: BarFormat {
  func update(for view: BarView) -> String {
    let item = BarItem.joined(view.items)
    var json = JSONText()
    json.appendObject { json in
      json.member("full_text", Escaping.plain(item.text))
      json.member("short_text", Escaping.plain(item.text))
      if item.isVisible, !item.background.isEmpty {
        json.member("color", item.foreground)
        json.member("background", item.background)
      }
      json.member("urgent", item.isVisible && item.isUrgent)
      json.member("markup", "none")
    }
    return json.text + "\n"
  }
}

/// i3status-rust `custom` blocks with `persistent` and `json`; its default format takes markup.
struct I3StatusFormat: BarFormat {
  func update(for view: BarView) -> String {
    let item = BarItem.joined(view.items)
    let text = Escaping.markup(Escaping.plain(item.text))
    let state = !item.isVisible ? "Idle" : item.isUrgent ? "Critical" : "Info"
    var json = JSONText()
    json.appendObject { json in
      json.member("icon", "")
      json.member("state", state)
      json.member("text", text)
      json.member("short_text", text)
    }
    return json.text + "\n"
  }
}

/// yambar `script` modules, yambar-modules-script(5): a tag a line, an empty line ends the update.
struct YambarFormat: BarFormat {
  func update(for view: BarView) -> String {
    let item = BarItem.joined(view.items)
    let tags = [
      "id|string|\(Escaping.plain(item.id))",
      "text|string|\(Escaping.plain(item.text))",
      "kind|string|\(item.kind)",
      "count|int|\(item.count)",
      "visible|bool|\(item.isVisible)",
      "urgent|bool|\(item.isUrgent)",
      "description|string|\(Escaping.plain(item.description))",
    ]
    return tags.map { $0 + "\n" }.joined() + "\n"
  }
}

// SPDX-License-Identifier: MIT
import BadgeCore

/// What a bar is told: the badges it shows, side by side, and the motion of the last change.
struct BarView: Equatable {
  var faces: [Face]
  /// Whether the daemon answers.
  var isConnected = true
  /// The class that plays the last change's animation, such as `bounce-a`.
  var motionClass: String?
}

/// A format that says everything a bar module shows in one write.
protocol BarFormat {
  /// The text for one update, with its line ends.
  func update(for view: BarView) -> String
}

/// Waybar `custom` modules with `"return-type": "json"`: waybar-custom(5).
struct WaybarFormat: BarFormat {
  /// Print an empty line for what is hidden: that hides the module whatever its format adds.
  var hidesByBlank = false

  func update(for view: BarView) -> String {
    let face = Face.joined(view.faces)
    if hidesByBlank, !face.isVisible { return "\n" }
    var classes = ["badge", face.kind]
    if !face.isVisible { classes.append("hidden") }
    if face.isUrgent { classes.append("urgent") }
    if !view.isConnected { classes.append("disconnected") }
    if let motion = view.motionClass { classes.append(motion) }

    var json = JSONText()
    json.appendObject { json in
      json.member("text", Escaping.markup(Escaping.plain(face.text)))
      json.member("alt", Escaping.markup(face.id))
      json.member("tooltip", Escaping.markup(tooltip(of: view.faces)))
      json.key("class")
      json.appendArray { json in for name in classes { json.append(name) } }
      json.member("percentage", face.percentage)
    }
    return json.text + "\n"
  }

  private func tooltip(of faces: [Face]) -> String {
    let shown = faces.count == 1 ? faces : faces.filter(\.isVisible)
    return shown.map { face in
      let lines = [face.description, "\(face.id): \(face.value)"]
      return lines.filter { !$0.isEmpty }.map(Escaping.plain).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

/// polybar `custom/script` modules with `tail = true`; an empty line hides the module.
struct PolybarFormat: BarFormat {
  func update(for view: BarView) -> String {
    view.faces.filter(\.isVisible).map(segment).joined(separator: " ") + "\n"
  }

  private func segment(_ face: Face) -> String {
    let ground = color(face.background).map { "%{B\($0)}" } ?? ""
    let ink = color(face.foreground).map { "%{F\($0)}" } ?? ""
    let end = (ink.isEmpty ? "" : "%{F-}") + (ground.isEmpty ? "" : "%{B-}")
    return "\(ground)\(ink) \(Escaping.polybar(face.text)) \(end)"
  }

  /// polybar writes what is transparent first: `#AARRGGBB`.
  private func color(_ text: String) -> String? {
    guard BadgeColor(text) != nil else { return nil }
    return text.utf8.count == 9 ? "#" + text.suffix(2) + text.dropFirst().dropLast(2) : text
  }
}

/// i3blocks with `interval=persist` and `format=json`; an empty text leaves the block out.
struct I3BlocksFormat: BarFormat {
  func update(for view: BarView) -> String {
    let face = Face.joined(view.faces)
    var json = JSONText()
    json.appendObject { json in
      json.member("full_text", Escaping.plain(face.text))
      json.member("short_text", Escaping.plain(face.text))
      if face.isVisible, !face.background.isEmpty {
        json.member("color", face.foreground)
        json.member("background", face.background)
      }
      json.member("urgent", face.isVisible && face.isUrgent)
      json.member("markup", "none")
    }
    return json.text + "\n"
  }
}

/// i3status-rust `custom` blocks with `persistent` and `json`; its default format takes markup.
struct I3StatusFormat: BarFormat {
  func update(for view: BarView) -> String {
    let face = Face.joined(view.faces)
    let text = Escaping.markup(Escaping.plain(face.text))
    let state = !face.isVisible ? "Idle" : face.isUrgent ? "Critical" : "Info"
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
    let face = Face.joined(view.faces)
    let tags = [
      "id|string|\(Escaping.plain(face.id))",
      "text|string|\(Escaping.plain(face.text))",
      "kind|string|\(face.kind)",
      "count|int|\(face.count)",
      "visible|bool|\(face.isVisible)",
      "urgent|bool|\(face.isUrgent)",
      "description|string|\(Escaping.plain(face.description))",
    ]
    return tags.map { $0 + "\n" }.joined() + "\n"
  }
}

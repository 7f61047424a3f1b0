// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

/// One write; a slow reader gets only the newest of each subject.
struct WatchOutput: Equatable {
  var subject: String
  var text: String
}

/// Turns events into what `watch` writes.
protocol WatchPrinter {
  /// What to write for an event, given the state before and after it; nil means that the window has
  /// been resized.
  mutating func output(
    for event: BadgeEvent?,
    before: WatchedBadges,
    after: WatchedBadges
  ) -> [WatchOutput]
}

/// One object per event.
struct JSONPrinter: WatchPrinter {
  func output(for event: BadgeEvent?, before: WatchedBadges, after: WatchedBadges)
    -> [WatchOutput]
  {
    switch event {
    case nil: return []
    case .snapshot(let list):
      return states(before, after, list.revision) + removals(before, after, list.revision)
    case .changed(let badge, let animation, let revision):
      guard badge != before.badges[badge.id] || animation.name != "none" else { return [] }
      return [
        line("changed", badge.id) { json in
          json.key("badge")
          json.append(badge)
          json.key("animation")
          json.append(animation)
          json.member("revision", revision)
        }
      ]
    case .removed(let id, let reason, let animation, let revision):
      return [
        line("removed", id) { json in
          json.key("animation")
          json.append(animation)
          json.member("reason", reason)
          json.member("revision", revision)
        }
      ]
    case .away, .disconnected:
      var json = JSONText()
      json.appendObject { $0.member("event", "down") }
      return [WatchOutput(subject: "", text: json.text + "\n")]
    }
  }

  /// All badges at first and after the daemon was away; later only those whose change was missed.
  private func states(_ before: WatchedBadges, _ after: WatchedBadges, _ revision: UInt64)
    -> [WatchOutput]
  {
    after.shown.compactMap { id, badge in
      if before.hasPrinted, badge == before.badges[id] { return nil }
      // A removed badge has its own event.
      if before.hasPrinted, badge == nil { return nil }
      return line("state", id) { json in
        if let badge {
          json.key("badge")
          json.append(badge)
        }
        json.member("revision", revision)
      }
    }
  }

  private func removals(_ before: WatchedBadges, _ after: WatchedBadges, _ revision: UInt64)
    -> [WatchOutput]
  {
    guard before.hasPrinted else { return [] }
    return before.badges.keys.sorted().filter { after.badges[$0] == nil }.map { id in
      line("removed", id) { $0.member("revision", revision) }
    }
  }

  private func line(_ event: String, _ id: BadgeID, _ body: (inout JSONText) -> Void)
    -> WatchOutput
  {
    var json = JSONText()
    json.appendObject { json in
      json.member("event", event)
      json.member("id", id.rawValue)
      body(&json)
    }
    return WatchOutput(subject: id.rawValue, text: json.text + "\n")
  }
}

/// A line for each badge whose text changed: `plain` and templates for several badges.
struct LinePrinter: WatchPrinter {
  let line: (BadgeState) -> String
  private var printed: [BadgeID: String] = [:]

  init(_ line: @escaping (BadgeState) -> String) {
    self.line = line
  }

  mutating func output(for event: BadgeEvent?, before: WatchedBadges, after: WatchedBadges)
    -> [WatchOutput]
  {
    // A removed badge is printed once more, as hidden.
    let ids = after.ids ?? Set(after.badges.keys).union(printed.keys).sorted()
    var output: [WatchOutput] = []
    for id in ids {
      let text = line(after.badges[id] ?? BadgeState(id: id)) + "\n"
      if printed[id] == text { continue }
      printed[id] = text
      output.append(WatchOutput(subject: id.rawValue, text: text))
    }
    if after.ids == nil { printed = printed.filter { after.badges[$0.key] != nil } }
    return output
  }
}

/// All badges as one text, whenever it changes.
struct WholePrinter: WatchPrinter {
  let text: (WatchedBadges) -> String
  private var printed: String?

  init(_ text: @escaping (WatchedBadges) -> String) {
    self.text = text
  }

  mutating func output(for event: BadgeEvent?, before: WatchedBadges, after: WatchedBadges)
    -> [WatchOutput]
  {
    let text = text(after)
    if text == printed { return [] }
    printed = text
    return [WatchOutput(subject: "", text: text)]
  }
}

/// The list that `list` draws, updated in place on a terminal.
struct ScreenPrinter: WatchPrinter {
  let depth: ColorDepth
  let size: () -> (rows: Int, columns: Int)?
  private var printed: [String] = []

  init(depth: ColorDepth, size: @escaping () -> (rows: Int, columns: Int)?) {
    self.depth = depth
    self.size = size
  }

  mutating func output(for event: BadgeEvent?, before: WatchedBadges, after: WatchedBadges)
    -> [WatchOutput]
  {
    let lines = lines(of: after)
    if lines == printed { return [] }
    // Move up to the first line, overwrite each line to its end, and erase the rest.
    let up = printed.isEmpty ? "" : "\u{1B}[\(printed.count)A"
    printed = lines
    let text = up + "\r" + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    return [WatchOutput(subject: "", text: text)]
  }

  private func lines(of state: WatchedBadges) -> [String] {
    let window = size()
    guard state.isConnected else { return ["badged is not running"] }
    let badges = state.shown.compactMap { id, badge in
      // Hidden badges are shown only if they were named.
      state.ids == nil ? badge.flatMap { $0.isVisible ? $0 : nil } : badge ?? BadgeState(id: id)
    }
    if badges.isEmpty { return ["no visible badges"] }
    let lines = Pills(depth: depth, columns: window?.columns).lines(badges)
    // One line less than the window, or moving up would not reach the first.
    guard let window, lines.count > window.rows - 1 else { return lines }
    let shown = max(1, window.rows - 2)
    return lines.prefix(shown) + ["and \(lines.count - shown) more"]
  }
}

extension WatchedBadges {
  /// What a bar shows; with `total` only the sum.
  func view(total: Bool) -> BarView {
    let items = shown.map(BarItem.init)
    return BarView(
      items: total ? [BarItem.total(of: items)] : items,
      isConnected: isConnected,
      motionClass: motion.current
    )
  }

  /// The label of one badge, or the total; empty if nothing is visible.
  func plainLine(total: Bool) -> String {
    Escaping.plain(BarItem.joined(view(total: total).items).text) + "\n"
  }

  /// The whole state as one object, for eww.
  func wholeObject(total: Bool) -> String {
    let item = BarItem.joined(view(total: total).items)
    var json = JSONText()
    json.appendObject { json in
      json.member("connected", isConnected)
      json.member("visible", item.isVisible)
      json.member("label", item.text)
      json.member("count", item.count)
      json.member("urgent", item.isUrgent)
      json.key("shown")
      json.appendArray { json in
        for (id, badge) in shown where badge?.isVisible ?? false { json.append(id.rawValue) }
      }
      json.key("badges")
      json.appendObject { json in
        for (id, badge) in shown {
          json.key(id.rawValue)
          json.append(badge ?? BadgeState(id: id))
        }
      }
    }
    return json.text + "\n"
  }

  /// The total as an event, for `--json --total`.
  func totalObject() -> String {
    let item = BarItem.joined(view(total: true).items)
    var json = JSONText()
    json.appendObject { json in
      json.member("event", isConnected ? "state" : "down")
      guard isConnected else { return }
      json.member("total", item.count)
      json.member("visible", shown.count { $0.badge?.isVisible ?? false })
    }
    return json.text + "\n"
  }
}

// SPDX-License-Identifier: MIT
import BadgeClient

/// The picture that `list` draws, live on a terminal: each write goes back over the one before.
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
    // Up to the first line of the picture, then over it, each line to its end, and the rest away.
    let up = printed.isEmpty ? "" : "\u{1B}[\(printed.count)A"
    printed = lines
    let text = up + "\r" + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    return [WatchOutput(subject: "", text: text)]
  }

  private func lines(of state: WatchedBadges) -> [String] {
    let window = size()
    guard state.isConnected else { return ["the badge daemon is away"] }
    let badges = state.shown.compactMap { id, badge in
      // All badges are too many to show the hidden ones as well.
      state.ids == nil ? badge.flatMap { $0.isVisible ? $0 : nil } : badge ?? BadgeState(id: id)
    }
    if badges.isEmpty { return ["no badge shows"] }
    let lines = Pills(depth: depth, columns: window?.columns).lines(badges)
    // One line less than the window, or going up would not reach the first.
    guard let window, lines.count > window.rows - 1 else { return lines }
    let shown = max(1, window.rows - 2)
    return lines.prefix(shown) + ["and \(lines.count - shown) more"]
  }
}

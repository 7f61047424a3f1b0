// SPDX-License-Identifier: MIT
import BadgeClient
import Glibc

/// Says what happens to badges, and rings the terminal's bell when one wants attention.
///
///     badge-bell [ID ...]
@main enum BadgeBell {
  static func main() throws {
    let ids = Array(CommandLine.arguments.dropFirst())
    let client = try BadgeClient()
    for event in try client.events(of: ids.isEmpty ? nil : ids) {
      switch event {
      case .snapshot(let list):
        for badge in list.badges where badge.isVisible { say("\(badge.id): \(value(of: badge))") }
      case .changed(let badge, let animation, _):
        let bell = animation.event == "attention" ? "\u{7}" : ""
        say("\(badge.id): \(badge.isVisible ? value(of: badge) : "nothing")\(bell)")
      case .removed(let id, let reason, _, _): say("\(id): gone (\(reason))")
      case .away: say("the daemon is away")
      case .disconnected: say("the session has ended")
      }
    }
  }

  private static func value(of badge: BadgeState) -> String {
    badge.kind == "dot" ? "something" : badge.label
  }

  /// Prints a line at once, also into a pipe.
  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}

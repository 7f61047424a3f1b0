// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

/// The examples of the documentation, so that they are known to compile; a test compares.
enum Examples {
  static func requests() throws {
    let client = try BadgeClient()
    try client.set("mail", to: 3)
    try client.update("mail", [(.description, .string("3 unread")), (.urgent, .boolean(true))])
    for badge in try client.list().badges where badge.isVisible {
      print(badge.id, badge.label)
    }
  }

  static func events() throws {
    for event in try BadgeClient().events(of: ["mail"]) {
      switch event {
      case .snapshot(let list): print("mail:", list.badges.first?.label ?? "")
      case .changed(let badge, let animation, _): print("mail:", badge.label, animation.name)
      case .removed, .away: print("mail:")
      case .disconnected: print("the session is over")
      }
    }
  }
}

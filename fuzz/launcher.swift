// SPDX-License-Identifier: MIT
// What apps announce: the bodies of Updates, and what is left of senders that come and go.
import BadgeCore
import EventLoop

@testable import LauncherEntry

enum LauncherTarget: FuzzTarget {
  static func run(_ input: inout FuzzInput) {
    var states = Senders(burst: 4, rate: 10)
    var now = Instant(nanoseconds: 0)
    while !input.isEmpty {
      let sender = ":1.\(input.byte() % 5)"
      now = now.advanced(byNanoseconds: Int64(input.byte()) * 4_000_000)
      switch input.byte() % 6 {
      case 0: _ = states.remove(sender: sender)
      case 1: _ = states.releaseDue(now: now)
      case 2: _ = states.takeChanges()
      case 3:
        let (from, to) = (input.byte() % 4, input.byte() % 4)
        _ = states.resolveAgain { $0.fallback.hasSuffix("\(from)") ? "app\(to)" : $0.fallback }
      default:
        guard let message = input.signal(signature: "sa{sv}"),
          let (uri, update) = AppAnnouncement.read(message)
        else { continue }
        _ = states.apply(update, to: uri, from: sender, now: now) { $0.fallback }
      }
      check(states, now)
    }
  }

  private static func check(_ states: Senders, _ now: Instant) {
    precondition(states.isConsistent)
    for id in states.ids {
      guard let shown = states.announcement(for: id) else { continue }
      precondition(shown.progress.map { (0...1).contains($0) } ?? true)
    }
    precondition(states.nextRelease(now: now).map { $0 >= now } ?? true)
  }
}

// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

/// What `watch` knows of the badges it shows.
struct WatchedBadges {
  /// The ids that were asked for, in that order; nil is all there are.
  let ids: [BadgeID]?
  private(set) var badges: [BadgeID: BadgeState] = [:]
  private(set) var isConnected = true
  /// Whether the state is known, and was printed.
  private(set) var hasPrinted = false
  private(set) var motion = MotionClass()

  init(ids: [BadgeID]?) {
    self.ids = ids
  }

  /// The ids to show, in order.
  var shownIDs: [BadgeID] { ids ?? badges.keys.sorted() }

  /// The badges to show, in order; nil for an absent one.
  var shown: [(id: BadgeID, badge: BadgeState?)] { shownIDs.map { ($0, badges[$0]) } }

  mutating func apply(_ event: BadgeEvent) {
    switch event {
    case .snapshot(let list):
      isConnected = true
      hasPrinted = true
      badges = Dictionary(list.badges.map { ($0.id, $0) }) { $1 }
    case .changed(let badge, let animation, _):
      badges[badge.id] = badge
      motion.note(animation)
    case .removed(let id, _, let animation, _):
      badges[id] = nil
      motion.note(animation)
    case .away, .disconnected:
      isConnected = false
      hasPrinted = false
      badges = [:]
      motion = MotionClass()
    }
  }
}

/// A class name that differs with each animation, so that a style sheet plays it anew.
struct MotionClass: Equatable {
  private(set) var current: String?
  private var isSecond = true

  mutating func note(_ animation: BadgeAnimation) {
    if animation.name != "none" {
      isSecond.toggle()
      current = animation.name + (isSecond ? "-b" : "-a")
    } else if animation.event != "none" {
      // What ran for as long as the badge was urgent, or visible, ends here.
      current = nil
    }
  }
}

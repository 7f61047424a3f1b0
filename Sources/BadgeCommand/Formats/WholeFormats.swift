// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

extension WatchedBadges {
  /// What a bar shows of them; with `total`, one number over all.
  func view(total: Bool) -> BarView {
    let faces = shown.map(Face.init)
    return BarView(
      faces: total ? [Face.total(of: faces)] : faces,
      isConnected: isConnected,
      motionClass: motion.current
    )
  }

  /// The label of one badge, or the total; empty where nothing shows.
  func plainLine(total: Bool) -> String {
    Escaping.plain(Face.joined(view(total: total).faces).text) + "\n"
  }

  /// All of the state as one object, for eww and whatever else reads one.
  func wholeObject(total: Bool) -> String {
    let face = Face.joined(view(total: total).faces)
    var json = JSONText()
    json.appendObject { json in
      json.member("connected", isConnected)
      json.member("visible", face.isVisible)
      json.member("label", face.text)
      json.member("count", face.count)
      json.member("urgent", face.isUrgent)
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
    let face = Face.joined(view(total: true).faces)
    var json = JSONText()
    json.appendObject { json in
      json.member("event", isConnected ? "state" : "down")
      guard isConnected else { return }
      json.member("total", face.count)
      json.member("visible", Int64(shown.count { $0.badge?.isVisible ?? false }))
    }
    return json.text + "\n"
  }
}

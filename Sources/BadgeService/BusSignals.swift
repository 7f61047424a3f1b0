// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import DBus

/// Writes what the publisher decides on as signals of the manager, and of badge objects where
/// somebody follows those.
final class BusSignals: ChangeSink {
  private let connection: BusConnection
  private let log: Log
  private var hints = HintEncoder()

  /// The badge objects, which change as badges do.
  weak var objects: BadgeObjects?

  init(connection: BusConnection, log: Log) {
    self.connection = connection
    self.log = log
  }

  var unreadBytes: Int { connection.unreadByteCount }

  func send(_ notice: ChangedNotice) {
    let hint = hints.entries(of: notice.hint)
    // A connection that is gone has no subscribers; the loop hears of it.
    try? connection.send(signal: .changed, of: .badges, from: .manager) { writer in
      writer.append(notice.id.rawValue)
      writer.appendDictionary { writer in
        writer.appendEntries(of: notice.new, notice.keys, now: notice.now)
      }
      writer.appendDictionary { $0.append(hint) }
      writer.append(notice.revision)
    }
    objects?.changed(notice)
    log.debug("changed '\(notice.id)': \(notice.new.summary); \(notice.hint.event)")
  }

  func send(_ notice: RemovedNotice) {
    let hint = hints.entries(of: notice.hint)
    try? connection.send(signal: .removed, of: .badges, from: .manager) { writer in
      writer.append(notice.id.rawValue)
      writer.append(notice.reason.rawValue)
      writer.appendDictionary { $0.append(hint) }
      writer.append(notice.revision)
    }
    objects?.removed(notice)
    log.debug("removed '\(notice.id)': \(notice.reason.rawValue)")
  }
}

extension Appearance {
  /// What a debug line says of a badge.
  fileprivate var summary: String {
    "\(badge.kind) '\(badge.label)', \(isVisible ? "visible" : "hidden")"
  }
}

extension InterfaceName {
  /// The manager's own interface.
  static let badges = InterfaceName(constant: "org.badged.Badges1")
}

extension ObjectPath {
  /// The manager.
  static let manager = ObjectPath(constant: "/org/badged/Badges1")

  /// What the badge objects are below.
  static let badgeObjects = ObjectPath(constant: "/org/badged/Badges1/badge")
}

extension MemberName {
  fileprivate static let changed = MemberName(constant: "Changed")
  fileprivate static let removed = MemberName(constant: "Removed")
}

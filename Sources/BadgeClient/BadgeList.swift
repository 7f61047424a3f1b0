// SPDX-License-Identifier: MIT
import BadgeCore
import DBus

/// All badges as the daemon showed them at one revision.
public struct BadgeList: Hashable, Sendable {
  /// The revision of the last signal that this state includes.
  public var revision: UInt64
  /// Every badge, hidden ones too, in the order of their ids.
  public var badges: [BadgeState]

  /// A state of badges in the order of their ids.
  public init(revision: UInt64, badges: [BadgeState]) {
    self.revision = revision
    self.badges = badges
  }

  /// Reads the reply to `List`; entries whose id is none are left out.
  init(_ reader: inout MessageReader) throws(BusError) {
    revision = try reader.readUInt64()
    var badges: [BadgeState] = []
    try reader.readDictionary { name, entries throws(BusError) in
      guard let id = try? BadgeID(name) else { return }
      var badge = BadgeState(id: id)
      try badge.apply(&entries)
      badges.append(badge)
    }
    self.badges = badges.sorted { $0.id < $1.id }
  }
}

extension BadgeClient {
  /// Reads one badge.
  ///
  /// - Throws: ``ClientError/noSuchBadge(message:)`` where it is absent.
  public func get(_ id: String) throws(ClientError) -> BadgeState {
    let reply = try call("Get") { $0.append(id) }
    let badgeID: BadgeID
    do { badgeID = try BadgeID(id) } catch { throw .unexpectedReply(error.message) }
    return try read(reply) { reader throws(BusError) in
      var badge = BadgeState(id: badgeID)
      try badge.apply(&reader)
      return badge
    }
  }

  /// Reads all badges.
  public func list() throws(ClientError) -> BadgeList {
    try read(try call("List")) { reader throws(BusError) in try BadgeList(&reader) }
  }
}

// SPDX-License-Identifier: MIT
public import BadgeCore
public import BadgeStore
public import DBus
public import EventLoop
internal import LauncherEntry

/// Links the badges of a ``BadgeService`` with apps that announce badges and docks that show them.
public final class LauncherLink: BadgeListener {
  private let service: BadgeService
  private let bridge: LauncherBridge
  private let bus: String

  /// A link for `service`, which serves on `connection`.
  ///
  /// - Parameters:
  ///   - service: whose badges; the link becomes its listener.
  ///   - connection: the connection apps are heard on.
  ///   - address: the bus's address, for the connections that docks are told on.
  ///   - bus: the bus's GUID.
  ///   - loop: the loop.
  ///   - directories: where desktop files are installed.
  ///   - ownsUnityName: whether `com.canonical.Unity` may be owned.
  public init(
    service: BadgeService,
    connection: BusConnection,
    address: String,
    bus: String,
    loop: EventLoop,
    directories: [String],
    ownsUnityName: Bool
  ) {
    self.service = service
    self.bus = bus
    bridge = LauncherBridge(
      on: connection,
      address: address,
      loop: loop,
      directories: directories,
      ownsUnityName: ownsUnityName,
      keeper: LauncherBridge.Keeper(
        announce: { [weak service] id, announcement, renewed in
          service?.announce(announcement, forApp: id, renewed: renewed)
        },
        removed: { [weak service] in service?.removedApps.map(\.rawValue) ?? [] },
        forEachNative: { [weak service] body in service?.forEachOutwardState(body) },
        log: { [log = service.log] in log.warning($0) }
      )
    )
    service.listener = self
  }

  /// Begins to hear apps, and brings back what was stored of those that still live; to be called
  /// before the service starts.
  ///
  /// - Throws: why the bus can't be listened to.
  public func listen(restoring records: [SenderRecord]) throws(BusError) {
    var restored: [SenderStates.Key: SenderStates.Record] = [:]
    for record in records where record.bus == bus {
      restored[SenderStates.Key(record)] = SenderStates.Record(record)
    }
    try bridge.listen(restoring: restored)
    service.forgetUnannounced()
  }

  /// Begins to own `com.canonical.Unity` and to tell docks; to be called once the service has its
  /// name, since nothing waits for it.
  public func speak() {
    bridge.speak()
  }

  /// What is to be stored of senders.
  public func takeSenderChanges() -> SenderChanges {
    var changes = SenderChanges()
    for (key, record) in bridge.takeChanges() {
      guard var stored = SenderRecord(key, on: bus) else { continue }
      if let record {
        stored.take(record)
        changes.saved.append(stored)
      } else {
        changes.departed.append(stored)
      }
    }
    return changes
  }

  /// Tells docks what changed.
  public func badgesChanged(_ ids: [BadgeID]) {
    for id in ids { bridge.show(service.outwardState(of: id), for: id.rawValue) }
  }
}

extension BadgeService {
  /// Takes what the app of this id announces, unless no badge can be called so.
  fileprivate func announce(
    _ announcement: LauncherAnnouncement?,
    forApp id: String,
    renewed: Bool
  ) {
    guard let id = try? BadgeID(id) else { return }
    // One app too many is refused by the senders' own limits before it comes here.
    try? announce(announcement.map(Announcement.init), for: id, renewed: renewed)
  }

  fileprivate func outwardState(of id: BadgeID) -> OutwardState? {
    badge(id).flatMap { OutwardState($0, isQuiet: isQuiet) }
  }

  fileprivate func forEachOutwardState(_ body: (String, OutwardState) -> Void) {
    for badge in badges {
      guard let state = OutwardState(badge, isQuiet: isQuiet) else { continue }
      body(badge.id.rawValue, state)
    }
  }
}

// SPDX-License-Identifier: MIT
internal import BadgeCore
package import BadgeStore
package import DBus
package import EventLoop
internal import LauncherEntry

/// Links the badges of a ``BadgeService`` with apps that announce badges and docks that show them.
package final class LauncherLink {
  private let service: BadgeService
  private let bridge: LauncherBridge
  private let bus: String

  /// A link for `service`, which serves on `connection`.
  ///
  /// - Parameters:
  ///   - service: Whose badges; it tells the link of changes from now on.
  ///   - connection: The connection on which apps' updates arrive.
  ///   - address: The bus's address, for the private connections to docks.
  ///   - bus: The bus's GUID.
  ///   - loop: The event loop.
  ///   - directories: Where desktop files are installed.
  ///   - ownsUnityName: Whether `com.canonical.Unity` may be owned.
  package init(
    service: BadgeService,
    connection: Connection,
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
      host: LauncherBridge.Host(
        announce: { [weak service] id, announcement, renewed in
          guard let id = try? BadgeID(id) else { return }
          // The senders' own limits refuse one app too many before it gets here.
          try? service?.announce(announcement, for: id, renewed: renewed)
        },
        removed: { [weak service] in service?.removedApps.map(\.rawValue) ?? [] },
        forEachNative: { [weak service] body in
          guard let service else { return }
          for badge in service.badges {
            guard let state = DockState(badge, isQuiet: service.isQuiet) else { continue }
            body(badge.id.rawValue, state)
          }
        },
        log: { [log = service.log] in log.warning($0) }
      )
    )
    service.attach(self)
  }

  /// Starts to receive updates from apps, and restores what senders that are still alive announced;
  /// to be called before the service starts.
  ///
  /// - Throws: Why the bus refuses.
  package func listen(restoring records: [SenderRecord]) throws(BusError) {
    var restored: [Senders.Key: Senders.Record] = [:]
    for record in records where record.bus == bus {
      let key = Senders.Key(sender: record.sender, app: record.app.rawValue)
      restored[key] = Senders.Record(announcement: record.announcement, ordinal: record.ordinal)
    }
    try bridge.listen(restoring: restored)
    service.forgetUnannounced()
  }

  /// Starts to own `com.canonical.Unity` and to update docks.
  ///
  /// To be called once the service's name is owned: no start-up step needs this.
  package func speak() {
    bridge.speak()
  }

  /// Hands on what has to be saved of senders since the last call.
  func saveSenders(to persistence: Persistence) {
    for (key, record) in bridge.takeChanges() {
      guard let app = try? BadgeID(key.app) else { continue }
      var stored = SenderRecord(
        bus: bus,
        sender: key.sender,
        app: app,
        ordinal: record?.ordinal ?? 0
      )
      if let record {
        stored.announcement = record.announcement
        persistence.save(stored)
      } else {
        persistence.forget(stored)
      }
    }
  }

  /// Updates docks for badges that may be new, different or gone.
  func badgesChanged(_ ids: [BadgeID]) {
    for id in ids {
      let state = service.badge(id).flatMap { DockState($0, isQuiet: service.isQuiet) }
      bridge.show(state, for: id.rawValue)
    }
  }
}

extension DockState {
  /// What docks are to show for a badge; nil for an app's own, which docks receive from the app
  /// itself, and for one that has nothing to show yet.
  ///
  /// A dot or a text is shown as presence, the number 1. Nothing shows under do-not-disturb, or when
  /// the value was dismissed.
  init?(_ badge: Badge, isQuiet: Bool) {
    guard badge.origin == .native,
      !badge.isPlaceholder || badge.progress != nil || badge.isUrgent
    else { return nil }
    let isSilent = isQuiet || badge.isDismissed
    self.init(
      count: badge.kind == .number ? badge.count : 1,
      isCountVisible: badge.isVisible(quiet: isQuiet),
      progress: isSilent ? nil : badge.progress,
      isUrgent: badge.isUrgent && !isSilent
    )
  }
}

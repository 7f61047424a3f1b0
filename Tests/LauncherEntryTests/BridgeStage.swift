// SPDX-License-Identifier: MIT
import BadgeCore
import DBus
import EventLoop
import LauncherEntry
import TestSupport

/// A bridge on a bus of the test's own, with folders for desktop files and a host that remembers.
final class BridgeStage {
  let loop: EventLoop
  let folder: TemporaryDirectory
  let connection: Connection
  private(set) var bridge: LauncherBridge
  let host: RecordingHost

  init(
    ownsUnityName: Bool = true,
    installed: [String] = ["mail", "chat"],
    address: String = PrivateBus.current.address,
    restoring records: [Senders.Key: Senders.Record] = [:]
  ) throws {
    loop = try EventLoop()
    folder = try TemporaryDirectory()
    for id in installed { try folder.install("applications/\(id).desktop") }
    connection = try Connection(address: address)
    try connection.attach(to: loop)
    let host = RecordingHost()
    self.host = host
    bridge = LauncherBridge(
      on: connection,
      address: address,
      loop: loop,
      directories: [folder.appending("applications")],
      ownsUnityName: ownsUnityName,
      host: LauncherBridge.Host(
        announce: { id, announcement, renewed in host.announce(id, announcement, renewed) },
        removed: { host.removed },
        forEachNative: { body in for (id, state) in host.native { body(id, state) } },
        log: { host.lines.append($0) }
      )
    )
    try bridge.listen(restoring: records)
    // The rules have reached the bus when it answers what was asked after them.
    _ = try connection.busID
  }

  /// A peer on the same bus.
  func peer() throws -> LauncherPeer { try LauncherPeer(on: loop) }

  /// Takes turns until `condition` holds or time is up.
  func run(until condition: () throws -> Bool) throws -> Bool {
    try loop.run(until: condition)
  }

  /// Shows a native badge, or nothing.
  func show(_ id: String, _ state: DockState?) {
    host.native[id] = state
    bridge.show(state, for: id)
  }

  /// Shows a number as a native badge.
  func show(_ id: String, count: Int64) {
    show(id, DockState(count: count, isCountVisible: true))
  }
}

/// A host of badges that only remembers what it was told.
final class RecordingHost {
  var announced: [String: AppAnnouncement] = [:]
  var native: [String: DockState] = [:]
  var removed: [String] = []
  var lines: [String] = []
  var calls = 0
  var renewals = 0

  func announce(_ id: String, _ announcement: AppAnnouncement?, _ renewed: Bool) {
    announced[id] = announcement
    calls += 1
    if renewed { renewals += 1 }
  }

  func count(_ id: String) -> Int64? { announced[id].map { $0.count ?? 0 } }
}

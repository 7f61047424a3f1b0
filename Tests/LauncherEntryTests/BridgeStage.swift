// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import LauncherEntry
import TestSupport

/// A bridge on a bus of the test's own, with folders for desktop files and a keeper that remembers.
final class BridgeStage {
  let loop: EventLoop
  let folder: TemporaryDirectory
  let connection: BusConnection
  private(set) var bridge: LauncherBridge
  let keeper: RecordingKeeper

  init(
    ownsUnityName: Bool = true,
    installed: [String] = ["mail", "chat"],
    address: String = PrivateBus.current.address,
    restoring records: [SenderStates.Key: SenderStates.Record] = [:]
  ) throws {
    loop = try EventLoop()
    folder = try TemporaryDirectory()
    for id in installed { try folder.install("applications/\(id).desktop") }
    connection = try BusConnection(address: address)
    try connection.attach(to: loop)
    let keeper = RecordingKeeper()
    self.keeper = keeper
    bridge = LauncherBridge(
      on: connection,
      address: address,
      loop: loop,
      directories: [folder.appending("applications")],
      ownsUnityName: ownsUnityName,
      keeper: LauncherBridge.Keeper(
        announce: { id, announcement, renewed in keeper.announce(id, announcement, renewed) },
        removed: { keeper.removed },
        forEachNative: { body in for (id, state) in keeper.native { body(id, state) } },
        log: { keeper.lines.append($0) }
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
  func show(_ id: String, _ state: OutwardState?) {
    keeper.native[id] = state
    bridge.show(state, for: id)
  }

  /// Shows a number as a native badge.
  func show(_ id: String, count: Int64) {
    show(id, OutwardState(count: count, isCountVisible: true))
  }
}

/// A keeper of badges that only remembers what it was told.
final class RecordingKeeper {
  var announced: [String: LauncherAnnouncement] = [:]
  var native: [String: OutwardState] = [:]
  var removed: [String] = []
  var lines: [String] = []
  var calls = 0
  var renewals = 0

  func announce(_ id: String, _ announcement: LauncherAnnouncement?, _ renewed: Bool) {
    announced[id] = announcement
    calls += 1
    if renewed { renewals += 1 }
  }

  func count(_ id: String) -> Int64? { announced[id]?.count }
}

// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import LauncherEntry
import TestSupport
import Testing

@Suite("The name com.canonical.Unity", .privateBus)
struct UnityNameTests {
  private func owner(_ peer: LauncherPeer) throws -> BusName? {
    do {
      return try peer.connection.nameOwner(of: LauncherPeer.unity)
    } catch  where error.name == .nameHasNoOwner {
      return nil
    }
  }

  @Test("is owned when it is free")
  func free() throws {
    let stage = try BridgeStage()
    let watcher = try stage.peer()
    #expect(try owner(watcher) == nil)
    stage.bridge.speak()
    #expect(try stage.run { try owner(watcher) == stage.connection.uniqueName })
  }

  @Test("is left alone when that is wanted")
  func leftAlone() throws {
    let stage = try BridgeStage(ownsUnityName: false)
    let dock = try stage.peer()
    stage.bridge.speak()
    try dock.say("mail", count: 1)
    #expect(try stage.run { stage.keeper.count("mail") == 1 })
    #expect(try owner(dock) == nil)
    #expect(try dock.own() == .primaryOwner)
  }

  @Test("is taken from a dock once, which gets it back at once and keeps it")
  func taken() throws {
    let stage = try BridgeStage()
    let dock = try stage.peer()
    var owners: [String] = []
    _ = try dock.connection.subscribe(
      MatchRule(
        kind: .signal,
        sender: .bus,
        member: MemberName(constant: "NameOwnerChanged"),
        arguments: [0: LauncherPeer.unity.rawValue]
      )
    ) { message in
      var reader = message.makeReader()
      _ = try? reader.readString()
      _ = try? reader.readString()
      owners.append((try? reader.readString()) ?? "")
    }
    #expect(try dock.own() == .primaryOwner)
    stage.bridge.speak()
    let us = try #require(stage.connection.uniqueName?.rawValue)
    #expect(try stage.run { owners == [dock.name, us, dock.name] })
  }

  @Test("stays with a dock that can't be replaced, and is owned when that leaves")
  func irreplaceable() throws {
    let stage = try BridgeStage()
    let dock = try stage.peer()
    #expect(try dock.own([.doNotQueue]) == .primaryOwner)
    stage.bridge.speak()
    let us = try #require(stage.connection.uniqueName)
    #expect(try stage.run { try dock.connection.queuedOwners(of: LauncherPeer.unity).contains(us) })
    #expect(try owner(dock) == dock.connection.uniqueName)
    let watcher = try stage.peer()
    dock.connection.close()
    #expect(try stage.run { try owner(watcher) == us })
  }

  @Test("is handed to a dock that comes later and waits, and taken back when that leaves")
  func late() throws {
    let stage = try BridgeStage()
    let watcher = try stage.peer()
    stage.bridge.speak()
    let us = stage.connection.uniqueName
    #expect(try stage.run { try owner(watcher) == us })
    let dock = try stage.peer()
    #expect(try dock.own() == .inQueue)
    #expect(try stage.run { try owner(watcher) == dock.connection.uniqueName })
    dock.connection.close()
    #expect(try stage.run { try owner(watcher) == us })
  }

  @Test("stays with a dock that replaces its owner, and comes back when that leaves")
  func replaced() throws {
    let stage = try BridgeStage()
    let dock = try stage.peer()
    stage.bridge.speak()
    let us = stage.connection.uniqueName
    #expect(try stage.run { try owner(dock) == us })
    #expect(try dock.own([.allowReplacement, .replaceExisting]) == .primaryOwner)
    let second = try stage.peer()
    #expect(try second.own() == .inQueue)
    // Long enough for every look at the queue that could be under way.
    #expect(try !stage.loop.run(within: .seconds(1)) { try !dock.isOwner })
    dock.connection.close()
    #expect(try stage.run { try owner(second) == second.connection.uniqueName })
  }

  @Test("is handed on through the docks that wait until none is left")
  func severalDocks() throws {
    let stage = try BridgeStage()
    stage.bridge.speak()
    let docks = try (0..<3).map { _ in try stage.peer() }
    #expect(try stage.run { try owner(docks[0]) == stage.connection.uniqueName })
    for dock in docks { #expect(try dock.own() == .inQueue) }
    for dock in docks {
      #expect(try stage.run { try dock.isOwner })
      dock.connection.close()
    }
    let watcher = try stage.peer()
    #expect(try stage.run { try owner(watcher) == stage.connection.uniqueName })
  }
}

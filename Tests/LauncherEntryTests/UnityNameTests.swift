// SPDX-License-Identifier: MIT
import DBus
import EventLoop
@testable import LauncherEntry
import TestSupport
import Testing

@Suite("The policy for com.canonical.Unity")
struct UnityNamePolicyTests {
  typealias Event = UnityNamePolicy.Event
  typealias Effect = UnityNamePolicy.Effect

  /// A story: at each time, in milliseconds, an event and what has to follow at once.
  typealias Story = [(at: Int64, event: Event, effects: [Effect])]

  static let us = ":1.1"
  static let dock = ":1.2"

  /// Plays a story, with the wakes that the policy asks for, and collects the effects.
  private func play(
    _ story: Story,
    isOwning: Bool = true,
    until end: Int64
  ) -> (effects: [[Effect]], woken: [(Int64, Effect)]) {
    var policy = UnityNamePolicy(isOwning: isOwning)
    var effects: [[Effect]] = []
    var woken: [(Int64, Effect)] = []
    func wake(to time: Int64) {
      while let next = policy.nextWake, next.nanoseconds <= time * 1_000_000 {
        for effect in policy.handle(.wake, now: next) {
          woken.append((next.nanoseconds / 1_000_000, effect))
        }
      }
    }
    for step in story {
      wake(to: step.at)
      effects.append(policy.handle(step.event, now: Instant(nanoseconds: step.at * 1_000_000)))
    }
    wake(to: end)
    return (effects, woken)
  }

  static let table: [(name: String, story: Story)] = [
    ("takes the name once at the start", [(0, .started(us), [.request(replacing: true)])]),
    (
      "gives way to a dock that waits",
      [
        (0, .started(us), [.request(replacing: true)]),
        (1, .ownerChanged(us), []),
        (101, .queue([us, dock]), [.giveWay]),
        (102, .ownerChanged(dock), [.resend]),
      ]
    ),
    (
      "keeps the name where nobody waits",
      [
        (0, .started(us), [.request(replacing: true)]),
        (1, .ownerChanged(us), []),
        (101, .queue([us]), []),
        (501, .queue([]), []),
      ]
    ),
    (
      "waits in the queue behind a dock that can't be replaced",
      [
        (0, .started(us), [.request(replacing: true)]),
        (1, .connectionAppeared, []),
        (2, .queue([dock, us]), []),
      ]
    ),
    (
      "lets a dock that replaces be",
      [
        (0, .started(us), [.request(replacing: true)]),
        (1, .ownerChanged(us), []),
        (50, .ownerChanged(dock), [.resend]),
        (60, .queue([dock, us]), []),
      ]
    ),
    (
      "asks again, without replacing, when the name is nobody's",
      [
        (0, .started(us), [.request(replacing: true)]),
        (1, .ownerChanged(dock), [.resend]),
        (2, .ownerChanged(nil), [.request(replacing: false)]),
        (3, .ownerChanged(us), []),
      ]
    ),
    (
      "asks no more once the bus refused",
      [
        (0, .started(us), [.request(replacing: true)]),
        (1, .refused, []),
        (2, .ownerChanged(nil), []),
        (3, .ownerChanged(dock), [.resend]),
      ]
    ),
    (
      "looks before an docks update, at most once in ten seconds",
      [
        (0, .started(us), [.request(replacing: true)]),
        (1, .dockUpdate, []),
        (2, .ownerChanged(us), []),
        (5_000, .dockUpdate, []),
        (13_001, .dockUpdate, []),
        (13_002, .dockUpdate, [.listQueue]),
        (23_001, .dockUpdate, []),
        (23_002, .dockUpdate, [.listQueue]),
      ]
    ),
  ]

  @Test("follows each story", arguments: table.indices)
  func stories(index: Int) {
    let (name, story) = Self.table[index]
    let (effects, _) = play(story, until: 0)
    #expect(effects == story.map(\.effects), Comment(rawValue: name))
  }

  @Test("asks for nothing when it is to leave the name alone, but tells a new owner everything")
  func notOwning() {
    let (effects, woken) = play(
      [
        (0, .started(Self.us), []), (1, .ownerChanged(nil), []), (2, .connectionAppeared, []),
        (3, .dockUpdate, []), (4, .ownerChanged(Self.dock), []),
      ],
      isOwning: false,
      until: 60_000
    )
    #expect(effects == [[], [], [], [], [.resend]])
    #expect(woken.map(\.1) == [.resend, .resend, .resend])
  }

  @Test("looks 0.1, 0.5 and 3 s after it has got the name, and after a connection came")
  func looks() {
    let (_, woken) = play(
      [
        (0, .started(Self.us), []), (0, .ownerChanged(Self.us), []),
        (10_000, .connectionAppeared, []),
      ],
      until: 60_000
    )
    let looks = woken.filter { $0.1 == .listQueue }
    #expect(looks.map(\.0) == [100, 500, 3_000, 10_100, 10_500, 13_000])
  }

  @Test("puts a look off while connections come, but not for ever")
  func debounce() {
    let connections: Story = (0..<2_000).map { (10_000 + Int64($0) * 20, .connectionAppeared, []) }
    let (_, woken) = play(
      [(0, .started(Self.us), []), (0, .ownerChanged(Self.us), [])] + connections,
      until: 60_000
    )
    let during = woken.filter { (10_000..<50_000).contains($0.0) }
    #expect(!during.isEmpty && during.count < 60)
    #expect(during.first?.0 == 11_000)
    #expect(woken.suffix(3).map(\.0) == [50_080, 50_480, 52_980])
  }

  @Test("does not look while the name is another's")
  func noLooks() {
    let (_, woken) = play(
      [
        (0, .started(Self.us), []), (0, .ownerChanged(Self.us), []),
        (50, .ownerChanged(Self.dock), []), (20_000, .connectionAppeared, []),
        (20_100, .dockUpdate, []),
      ],
      until: 60_000
    )
    #expect(woken.allSatisfy { $0.1 == .resend })
  }

  @Test(
    "tells docks everything again some time after the start, of which they may have missed much"
  )
  func startResend() {
    let (_, woken) = play([(0, .started(Self.us), [])], until: 60_000)
    #expect(woken.map(\.0) == [3_000])
    #expect(woken.map(\.1) == [.resend])
  }

  @Test("tells docks everything again for a while after one came")
  func resends() {
    let (effects, woken) = play(
      [(0, .started(Self.us), []), (7, .dockAppeared, [])],
      until: 60_000
    )
    #expect(effects.last == [.resend])
    #expect(woken.map(\.0) == [1_007, 5_007, 15_007])
  }
}

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
    try dock.announce("mail", count: 1)
    #expect(try stage.run { stage.host.count("mail") == 1 })
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
        type: .signal,
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

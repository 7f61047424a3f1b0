// SPDX-License-Identifier: MIT
import EventLoop
import LauncherEntry
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
      "looks before an outward update, at most once in ten seconds",
      [
        (0, .started(us), [.request(replacing: true)]),
        (1, .outwardUpdate, []),
        (2, .ownerChanged(us), []),
        (5_000, .outwardUpdate, []),
        (13_001, .outwardUpdate, []),
        (13_002, .outwardUpdate, [.listQueue]),
        (23_001, .outwardUpdate, []),
        (23_002, .outwardUpdate, [.listQueue]),
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
        (3, .outwardUpdate, []), (4, .ownerChanged(Self.dock), []),
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
        (20_100, .outwardUpdate, []),
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

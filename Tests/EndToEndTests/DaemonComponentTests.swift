// SPDX-License-Identifier: MIT
import DBus
import TestSupport
import Testing

/// The badges of phones, each said call by call with the hints that play it: the red pill of a tab
/// bar, the round counter of a shopping cart, and the hub that pops, bumps and blinks.
@Suite(.privateBus) struct DaemonComponentTests {
  let bus = PrivateBus.current
  let daemon: SpawnedProcess
  let client: BusClient

  init() throws {
    daemon = try PrivateBus.current.startDaemon(["--no-unity-name"])
    client = try BusClient()
  }

  static func motion(
    _ name: String,
    _ property: String,
    _ keyframes: [(Double, Double)],
    _ duration: Double,
    _ plays: UInt32,
    timing: [Double] = [],
    spring: [Double] = []
  ) -> [String: Value] {
    var hint: [String: Value] = [
      "name": .string(name), "property": .string(property),
      "keyframes": .array(
        Signature(constant: "(dd)"),
        keyframes.map { .structure([.double($0.0), .double($0.1)]) }
      ),
      "duration": .double(duration), "repeat": .uint32(plays),
    ]
    if !timing.isEmpty { hint["timing"] = .structure(timing.map { .double($0) }) }
    if !spring.isEmpty { hint["spring"] = .structure(spring.map { .double($0) }) }
    return hint
  }

  static let none: [String: Value] = ["name": .string("none")]
  static let bounce = motion(
    "bounce",
    "scale",
    [(0, 1.5), (1, 1)],
    0.2,
    1,
    timing: [0.4, 1.3, 1, 1]
  )
  static let shrink = motion(
    "shrink",
    "scale",
    [(0, 1), (1, 0)],
    0.2,
    1,
    timing: [0.42, 0, 0.58, 1]
  )
  static let spring = motion("spring", "scale", [(0, 0.1), (1, 1)], 0.5, 1, spring: [0.5, 0.5])
  static let shake = motion("shake", "rotation", [(0, -5), (0.5, 5), (1, -5)], 0.25, 0)
  static let pop = motion(
    "pop",
    "scale",
    [(0, 1), (0.143, 0.85), (0.714, 1.05), (0.857, 0.95), (1, 1)],
    0.35,
    1
  )
  static let bump = motion(
    "bump",
    "translate-y",
    [(0, 0), (0.283, -8), (0.565, 0), (0.783, -4), (1, 0)],
    0.46,
    1
  )
  static let blink = motion(
    "blink",
    "opacity",
    [(0, 0.1), (1.0 / 3, 1), (2.0 / 3, 0.1), (1, 1)],
    0.3,
    1
  )
  static let breathe = motion("breathe", "opacity", [(0, 1), (0.5, 0.1), (1, 1)], 2.8, 0)

  /// Calls, and checks the one signal that comes of it.
  private func expect(
    _ member: String,
    _ arguments: Value...,
    label: String?,
    visible: Bool = true,
    _ event: String,
    _ motion: [String: Value],
    _ direction: String = "none"
  ) throws {
    var outcome: Result<Message, BusError>?
    try client.send(member, arguments) { outcome = $0 }
    guard try client.loop.run(until: { outcome != nil }), let outcome else {
      throw TestFailure("no reply to \(member)")
    }
    _ = try outcome.get()
    // A read lets a change go that would wait for its frame.
    _ = try client.list()
    let signals = try client.take(1)
    #expect(signals.count == 1)
    let signal = try #require(signals.first)
    var hint = motion
    hint["event"] = .string(event)
    hint["direction"] = .string(direction)
    #expect(signal.hint == hint, "\(member)(\(arguments))")
    guard let label else { return }
    #expect(signal.badge["label"] == .string(label))
    #expect(signal.badge["visible"] == .boolean(visible))
  }

  @Test("The red pill: bounces at each change, shrinks away at zero, keeps its style")
  func pill() throws {
    let id = Value.string("tab")
    try expect("Set", id, .int64(1), label: "1", "appear", Self.none)
    try expect("Set", id, .int64(12), label: "12", "change", Self.bounce, "up")
    try expect("Increment", id, .int64(1_000), label: "999+", "change", Self.bounce, "up")
    try expect("SetText", id, .string("New"), label: "New", "change", Self.bounce)
    try expect("Set", id, .int64(3), label: "3", "change", Self.bounce)
    try expect("Decrement", id, .int64(2), label: "1", "change", Self.bounce, "down")
    try expect("Set", id, .int64(0), label: "0", visible: false, "disappear", Self.shrink, "down")
    try expect("SetDot", id, label: "", "appear", Self.none)
    try expect("Remove", id, label: nil, "disappear", Self.shrink)
    daemon.terminate()
  }

  @Test("The round counter: a preset, springs in and at each step, goes without a sound")
  func counter() throws {
    let id = Value.string("cart")
    let preset = Value.namedValues([("preset", .string("counter")), ("count", .int64(1))])
    try expect("Update", id, preset, label: "1", "appear", Self.spring)
    try expect("Increment", id, .int64(1), label: "2", "change", Self.spring, "up")
    try expect("Decrement", id, .int64(1), label: "1", "change", Self.spring, "down")
    try expect(
      "Decrement",
      id,
      .int64(1),
      label: "0",
      visible: false,
      "disappear",
      Self.none,
      "down"
    )
    // A stepper passes through what is below zero, and nothing shows.
    try expect("Set", id, .int64(-1), label: "-1", visible: false, "none", Self.none, "down")
    try expect("Set", id, .int64(5), label: "5", "appear", Self.spring, "up")
    let badge = try #require(try client.list().badges["cart"])
    #expect(badge["background"] == .string("#09BB07"))
    #expect(badge["fit"] == .string("shrink"))
    #expect(badge["min-size"] == .double(20))
    #expect(badge["anchor"] == .string("center"))
    daemon.terminate()
  }

  @Test("The hub: pops, bumps and blinks as it is told, counts below zero, shows zero if asked")
  func hub() throws {
    let id = Value.string("hub")
    try expect("Increment", id, .int64(1), label: "1", "appear", Self.none)
    for (name, motion) in [("pop", Self.pop), ("bump", Self.bump), ("blink", Self.blink)] {
      let change = Value.namedValues([("animation-change", .string(name))])
      try expect("Update", id, change, label: "\(try client.count("hub") ?? 0)", "none", Self.none)
      let next = try #require(try client.count("hub")) + 1
      try expect("Increment", id, .int64(1), label: "\(next)", "change", motion, "up")
    }
    try expect("Set", id, .int64(0), label: "0", visible: false, "disappear", Self.shrink, "down")
    try expect(
      "SetProperty",
      id,
      .string("hide-at-zero"),
      .variant(.boolean(false)),
      label: "0",
      "appear",
      Self.none
    )
    daemon.terminate()
  }

  @Test("What wants attention shakes until it is acknowledged; a panel may let it breathe")
  func attention() throws {
    let id = Value.string("door")
    let urgent = Value.namedValues([("urgent", .boolean(true))])
    try expect("SetDot", id, label: "", "appear", Self.none)
    try expect("Update", id, urgent, label: "", "attention", Self.shake)
    try expect("Set", id, .int64(2), label: "2", "attention", Self.shake)
    try expect("Acknowledge", id, label: "2", "calm", Self.none)
    let breathe = Value.namedValues([("animation-change", .string("breathe"))])
    try expect("Update", id, breathe, label: "2", "none", Self.none)
    try expect("Set", id, .int64(3), label: "3", "change", Self.breathe, "up")
    daemon.terminate()
  }
}

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

  /// Calls, and checks the one signal that comes of it.
  private func expect(
    _ member: String,
    _ arguments: Value...,
    label: String?,
    visible: Bool = true,
    _ event: String,
    _ name: String,
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
    #expect(signal.hint == Catalogue.hint(event, name, direction), "\(member)(\(arguments))")
    guard let label else { return }
    #expect(signal.badge["label"] == .string(label))
    #expect(signal.badge["visible"] == .boolean(visible))
  }

  @Test("The red pill: bounces at each change, shrinks away at zero, keeps its style")
  func pill() throws {
    let id = Value.string("tab")
    try expect("Set", id, .int64(1), label: "1", "appear", "none")
    try expect("Set", id, .int64(12), label: "12", "change", "bounce", "up")
    try expect("Increment", id, .int64(1_000), label: "999+", "change", "bounce", "up")
    try expect("SetText", id, .string("New"), label: "New", "change", "bounce")
    try expect("Set", id, .int64(3), label: "3", "change", "bounce")
    try expect("Decrement", id, .int64(2), label: "1", "change", "bounce", "down")
    try expect("Set", id, .int64(0), label: "0", visible: false, "disappear", "shrink", "down")
    try expect("SetDot", id, label: "", "appear", "none")
    try expect("Remove", id, label: nil, "disappear", "shrink")
    daemon.terminate()
  }

  @Test("The round counter: a preset, springs in and at each step, goes without a sound")
  func counter() throws {
    let id = Value.string("cart")
    let preset = Value.namedValues([("preset", .string("counter")), ("count", .int64(1))])
    try expect("Update", id, preset, label: "1", "appear", "spring")
    try expect("Increment", id, .int64(1), label: "2", "change", "spring", "up")
    try expect("Decrement", id, .int64(1), label: "1", "change", "spring", "down")
    try expect(
      "Decrement",
      id,
      .int64(1),
      label: "0",
      visible: false,
      "disappear",
      "none",
      "down"
    )
    // A stepper passes through what is below zero, and nothing shows.
    try expect("Set", id, .int64(-1), label: "-1", visible: false, "none", "none", "down")
    try expect("Set", id, .int64(5), label: "5", "appear", "spring", "up")
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
    try expect("Increment", id, .int64(1), label: "1", "appear", "none")
    for name in ["pop", "bump", "blink"] {
      let change = Value.namedValues([("animation-change", .string(name))])
      try expect("Update", id, change, label: "\(try client.count("hub") ?? 0)", "none", "none")
      let next = try #require(try client.count("hub")) + 1
      try expect("Increment", id, .int64(1), label: "\(next)", "change", name, "up")
    }
    try expect("Set", id, .int64(0), label: "0", visible: false, "disappear", "shrink", "down")
    try expect(
      "SetProperty",
      id,
      .string("hide-at-zero"),
      .variant(.boolean(false)),
      label: "0",
      "appear",
      "none"
    )
    daemon.terminate()
  }

  @Test("What wants attention shakes until it is acknowledged; a panel may let it breathe")
  func attention() throws {
    let id = Value.string("door")
    let urgent = Value.namedValues([("urgent", .boolean(true))])
    try expect("SetDot", id, label: "", "appear", "none")
    try expect("Update", id, urgent, label: "", "attention", "shake")
    try expect("Set", id, .int64(2), label: "2", "attention", "shake")
    try expect("Acknowledge", id, label: "2", "calm", "none")
    let breathe = Value.namedValues([("animation-change", .string("breathe"))])
    try expect("Update", id, breathe, label: "2", "none", "none")
    try expect("Set", id, .int64(3), label: "3", "change", "breathe", "up")
    daemon.terminate()
  }
}

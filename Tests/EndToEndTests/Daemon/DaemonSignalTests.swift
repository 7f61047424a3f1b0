// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import Testing
import TestSupport

@Suite(.privateBus) struct DaemonFrameTests {
  let bus = PrivateBus.current

  /// Sends `total` calls, at most 64 outstanding, and waits for all replies.
  private func pipeline(
    _ total: Int,
    on client: BusClient,
    _ call: (Int) -> (member: String, arguments: [Value])
  ) throws {
    var (sent, answered, failed) = (0, 0, 0)
    let isDone = try client.loop.run(within: .seconds(120)) {
      while sent < total, sent - answered < 64 {
        let (member, arguments) = call(sent)
        try client.send(member, arguments) {
          answered += 1
          if case .failure = $0 { failed += 1 }
        }
        sent += 1
      }
      return answered == total
    }
    #expect(isDone && failed == 0)
  }

  @Test("While changes pour in, each badge has one signal a frame, and the last state is sent")
  func framesUnderLoad() throws {
    let daemon = try bus.startDaemon(["--no-unity-name"])
    defer { daemon.terminate() }
    let client = try BusClient()
    let total = 12_000
    let begin = Instant.now()
    try pipeline(total, on: client) { number in
      ("Set", [.string("app-\(number % 8)"), .int64(Int64(number))])
    }
    let milliseconds = Double((Instant.now() - begin).saturatedNanoseconds) / 1e6
    let last = (0..<8).map { Int64(total - 8 + $0) }
    // Changes that wait for their frame are published without further calls.
    #expect(
      try client.loop.run {
        (0..<8).allSatisfy { number in
          client.signals.last { $0.id == "app-\(number)" }?.badge["count"] == .int64(last[number])
        }
      }
    )
    let signals = try client.take(8)
    for number in 0..<8 {
      let count = signals.count { $0.id == "app-\(number)" }
      #expect(Double(count) <= milliseconds / 16 + 2, "\(count) in \(milliseconds) ms")
      #expect(count >= 2)
    }
    #expect(signals.map(\.revision) == (1...UInt64(signals.count)).map { $0 })
    let (revision, badges) = try client.list()
    #expect(revision == UInt64(signals.count))
    for number in 0..<8 { #expect(badges["app-\(number)"]?["count"] == .int64(last[number])) }
  }

  @Test("List under load is exactly the state of its revision")
  func listUnderLoad() throws {
    let daemon = try bus.startDaemon(["--no-unity-name"])
    defer { daemon.terminate() }
    let client = try BusClient()
    var lists: [(revision: UInt64, counts: [String: Value])] = []
    var random = SystemRandomNumberGenerator()
    try pipeline(4_000, on: client) { number in
      let id = Value.string("app-\(Int.random(in: 0..<16, using: &random))")
      return switch number % 10 {
      case 3: ("Clear", [id])
      case 5: ("SetDot", [id])
      case 7: ("Increment", [id, .int64(3)])
      default: ("Set", [id, .int64(Int64(number))])
      }
    }
    for number in 0..<300 {
      try client.send("Set", [.string("app-\(number % 16)"), .int64(Int64(number))])
      if number % 7 == 0 { try client.send("Remove", [.string("app-\(number % 16)")]) }
      guard number % 5 == 0 else { continue }
      try client.send("List") { outcome in
        guard case .success(let reply) = outcome, let values = try? reply.values(),
          case .uint64(let revision) = values[0]
        else { return }
        lists.append((revision, values[1].entries.mapValues { $0.entries["label"] ?? .byte(0) }))
      }
    }
    #expect(try client.loop.run { lists.count == 60 })
    _ = try client.list()
    // Replaying all signals from an empty state gives what each List returned.
    var followed: [UInt64: [String: Value]] = [0: [:]]
    var state: [String: Value] = [:]
    for signal in try client.take(1) {
      state[signal.id] = signal.member == "Removed" ? nil : signal.badge["label"]
      followed[signal.revision] = state
    }
    for list in lists { #expect(followed[list.revision] == list.counts) }
  }

  @Test("Signals of a call come after its reply and hold what it did")
  func replyFirst() throws {
    let daemon = try bus.startDaemon(["--no-unity-name"])
    defer { daemon.terminate() }
    let client = try BusClient()
    for number in 1...20 {
      var signalsAtReply = -1
      try client.send("Set", [.string("app-\(number)"), .int64(1)]) { _ in
        signalsAtReply = client.signals.count
      }
      #expect(try client.loop.run { signalsAtReply >= 0 })
      #expect(signalsAtReply == number - 1)
      #expect(try client.loop.run { client.signals.count == number })
    }
  }
}

/// Badges as phones have them, call by call with the resulting hints: the red pill of a tab bar, the
/// round counter of a shopping cart, and a hub that pops, bumps and blinks.
@Suite(.privateBus) struct DaemonComponentTests {
  let bus = PrivateBus.current
  let daemon: SpawnedProcess
  let client: BusClient

  init() throws {
    daemon = try PrivateBus.current.startDaemon(["--no-unity-name"])
    client = try BusClient()
  }

  /// Calls a method and checks the one signal it causes.
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
    // A read publishes a change at once that would wait for its frame.
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
    // A stepper may pass below zero, where the badge stays hidden.
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

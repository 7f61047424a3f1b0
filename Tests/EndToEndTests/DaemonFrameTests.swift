// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import TestSupport
import Testing

@Suite(.privateBus) struct DaemonFrameTests {
  let bus = PrivateBus.current

  /// Sends `total` calls, at most 64 of them unanswered, and waits for all replies.
  private func pipeline(
    _ total: Int,
    on client: BusClient,
    _ call: (Int) -> (member: String, arguments: [Value])
  ) throws {
    var (sent, answered, failed) = (0, 0, 0)
    let isDone = try client.loop.run(within: .seconds(60)) {
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
    // What waits for its frame comes by itself.
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
    // A follower that starts from nothing and plays all signals sees what each List showed.
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

// SPDX-License-Identifier: MIT
import CDBus
import EventLoop
import TestSupport
import Testing

@testable import DBus

/// What a peer can do to a connection without breaking a rule of the bus.
@Suite(.privateBus)
struct HostilePeerTests {
  /// Replies at length, or briefly.
  private static let library = Interface<Int>(
    "org.example.Library1",
    methods: [
      Method("Read", outputs: [Argument("text", "s")], isLongRead: true) { length, _, reply in
        reply.append(String(repeating: "x", count: length))
      },
      Method("Ask", outputs: [Argument("text", "s")]) { _, _, reply in reply.append("yes") },
    ]
  )
  private static let path = ObjectPath(constant: "/org/example/Library")

  private let pair: ConnectionPair
  private let server: ObjectServer

  init() throws {
    pair = try ConnectionPair()
    server = ObjectServer(connection: pair.server)
    server.export(Self.library, target: ConnectionLimits.bytesBeforeLongReplies + 1, at: Self.path)
  }

  private func call(_ member: StaticString) throws -> MethodCall {
    MethodCall(
      destination: try #require(pair.server.uniqueName),
      path: Self.path,
      interface: InterfaceName(constant: "org.example.Library1"),
      member: MemberName(constant: member)
    )
  }

  @Test func `a reply counts only when it comes from whom was called`() throws {
    let forger = try Connection(address: PrivateBus.current.address)
    pair.server.onMethodCall = { _ in }
    for destination in [try #require(pair.server.uniqueName), .bus] {
      let next = pair.client.lastSerial + 1
      var reply: Result<Message, BusError>?
      var call = try pair.method("Never")
      call.destination = destination
      if destination == .bus { call = .bus(MemberName(constant: "GetId")) }
      let pending = try pair.client.call(call) { reply = $0 }
      // The bus passes on what nobody asked for.
      let asked = try Self.call(serial: next, from: try #require(pair.client.uniqueName))
      try forger.reply(to: asked) { $0.append("forged") }
      forger.reply(to: asked, error: .failed("forged"))
      try forger.flushAndWait()
      _ = try forger.busID
      if destination == .bus {
        try pair.run { reply != nil }
        var reader = try #require(try reply?.get()).makeReader()
        #expect(try reader.readString() != "forged")
      } else {
        var isBack = false
        try pair.client.call(.bus(MemberName(constant: "GetId"))) { _ in isBack = true }
        try pair.run { isBack }
        #expect(reply == nil && pending.isPending)
        pending.cancel()
      }
    }
  }

  /// A call as `caller` would have made it.
  private static func call(serial: UInt32, from caller: BusName) throws -> Message {
    var header = MessageHeader(type: .methodCall, serial: serial)
    header.path = path
    header.member = MemberName(constant: "Never")
    header.sender = caller
    let message = try Message.empty(header)
    #expect(message.sender == caller)
    return message
  }

  @Test func `no more calls of our own wait than the limit`() throws {
    pair.server.onMethodCall = { _ in }
    let call = try pair.method("Never")
    for _ in 0..<ConnectionLimits.pendingCalls { try pair.client.call(call) { _ in } }
    let error = #expect(throws: BusError.self) { try pair.client.call(call) { _ in } }
    #expect(error == .limitsExceeded("16384 calls without a reply"))
  }

  @Test func `long replies come one a turn, and let what is brief pass`() throws {
    var order: [String] = []
    let other = try Connection(address: PrivateBus.current.address)
    try other.attach(to: pair.loop)
    var largest = 0
    pair.server.willFlush = { [weak server = pair.server] in
      largest = max(largest, server?.unsentByteCount ?? 0)
    }
    for number in 0..<20 {
      try pair.client.call(try call("Read")) { _ in order.append("read \(number)") }
    }
    pair.client.flush()
    _ = try pair.client.busID
    try other.call(try call("Ask")) { _ in order.append("ask") }
    try other.call(try call("Read")) { _ in order.append("other's read") }
    try pair.run { order.count == 22 }
    #expect(order.filter { $0.hasPrefix("read") } == (0..<20).map { "read \($0)" })
    let places = ["ask", "other's read"].map { order.firstIndex(of: $0) ?? 22 }
    #expect(places.allSatisfy { $0 < 19 }, "\(order)")
    #expect(largest < 2 * ConnectionLimits.bytesBeforeLongReplies)
  }

  @Test func `as many long replies may wait as the limit says, and one more is an error`() throws {
    let (count, more) = (ConnectionLimits.waitingCallsPerCaller, 20)
    var replies = 0
    var errors: [BusError] = []
    for _ in 0..<count + more {
      try pair.client.call(try call("Read")) { reply in
        replies += 1
        if case .failure(let error) = reply { errors.append(error) }
      }
    }
    pair.client.flush()
    // All have come before the first is handled.
    _ = try pair.client.busID
    try pair.run { replies == count + more }
    #expect((1...more).contains(errors.count))
    #expect(errors.allSatisfy { $0.name == .limitsExceeded && $0.message.contains("256") })
  }

  @Test func `a long read that wants no reply is not made`() throws {
    for _ in 0..<100 { try pair.client.send(try call("Read")) }
    var isBack = false
    try pair.client.call(try call("Ask")) { _ in isBack = true }
    try pair.run { isBack }
    #expect(server.waiting.isEmpty)
  }

  @Test func `a bus that takes no more gets no more handled`() throws {
    var replies = 0
    for _ in 0..<100 { try pair.client.call(try call("Read")) { _ in replies += 1 } }
    pair.client.flush()
    _ = try pair.client.busID
    PrivateBus.current.pause()
    defer { PrivateBus.current.resume() }
    for _ in 0..<50 { _ = try pair.loop.runOnce(timeout: .zero) }
    let limit = ConnectionLimits.bytesPerTurn + 2 * ConnectionLimits.bytesBeforeLongReplies
    #expect(pair.server.unsentByteCount < limit)
    #expect(pair.server.hasUnsentBytes)
    // The loop sleeps meanwhile.
    #expect(try !pair.loop.runOnce(timeout: .milliseconds(1)))
    PrivateBus.current.resume()
    try pair.run { replies == 100 }
  }

  @Test func `an error repeats the start of a long text, on one line`() throws {
    let name = String(repeating: "n\n", count: 100_000)
    var reply: Result<Message, BusError>?
    var get = try call("Get")
    get.interface = InterfaceName(constant: "org.freedesktop.DBus.Properties")
    for (interface, property) in [("org.example.Library1", name), (name, "x")] {
      reply = nil
      try pair.client.call(get) {
        $0.append(interface)
        $0.append(property)
      } completion: {
        reply = $0
      }
      try pair.run { reply != nil }
      guard case .failure(let error) = reply else {
        Issue.record("it succeeded")
        return
      }
      #expect(error.message.utf8.count < 1_200 && error.message.contains("…'"))
      #expect(!error.message.contains("\n"))
    }
  }

  @Test func `a broadcast nested as deep as is allowed does not end the connection`() throws {
    var nested = Value.byte(1)
    var type = "y"
    for _ in 0..<32 {
      nested = .array(try #require(Signature("(\(type))")), [.structure([nested])])
      type = "a(\(type))"
    }
    var variants = Value.byte(1)
    for _ in 0..<64 { variants = .variant(variants) }
    var received: [[Value]] = []
    try pair.server.subscribe(.signal(MemberName(constant: "Deep"))) { signal in
      received.append((try? signal.values()) ?? [])
    }
    _ = try pair.server.busID
    for value in [nested, variants] {
      let (member, interface) = (MemberName(constant: "Deep"), InterfaceName(constant: "a.b"))
      try pair.client.send(signal: member, of: interface, from: .root) { $0.append(value) }
    }
    try pair.run { received.count == 2 }
    #expect(received == [[nested], [variants]])
    var reply: Result<Message, BusError>?
    try pair.client.call(try call("Ask")) { reply = $0 }
    try pair.run { reply != nil }
    #expect(reply?.isSuccess == true)
  }

  @Test func `a value of many parts is refused, and one of many bytes is not`() throws {
    let parts = ConnectionLimits.valueParts
    for (count, isTaken) in [(parts - 1, true), (parts, false)] {
      let bytes = try Marshalling.message { $0.append(bytes: [UInt8](repeating: 1, count: count)) }
      var reader = try Message.demarshal(bytes).makeReader()
      let value = try? reader.readValue()
      #expect((value != nil) == isTaken)
      var again = try Message.demarshal(bytes).makeReader()
      #expect(try again.readBytes().count == count)
    }
    let nested = try Marshalling.message { writer in
      writer.appendVariant(.array(.variant, (0..<10).map { .variant(.byte($0)) }))
    }
    var reader = try Message.demarshal(nested).makeReader()
    let error = #expect(throws: BusError.self) { try reader.readVariant(parts: 20) }
    #expect(error?.name == .limitsExceeded)
    var again = try Message.demarshal(nested).makeReader()
    #expect(throws: Never.self) { try again.readVariant(parts: 21) }
  }
}

struct WaitingCallsTests {
  private func call(_ serial: UInt32, from sender: String?) throws -> Message {
    var header = MessageHeader(type: .methodCall, serial: serial)
    header.path = .root
    header.member = MemberName(constant: "M")
    header.sender = sender.flatMap { BusName($0) }
    return try Message.empty(header)
  }

  @Test func `callers take turns, and each one's calls stay in order`() throws {
    var waiting = WaitingCalls()
    for serial in 1...3 as ClosedRange<UInt32> {
      #expect(waiting.append(try call(serial, from: ":1.1")))
    }
    #expect(waiting.append(try call(11, from: ":1.2")))
    #expect(waiting.append(try call(12, from: ":1.2")))
    #expect(waiting.next()?.serial == 1)
    #expect(waiting.append(try call(21, from: ":1.3")))
    var order: [UInt32] = []
    while let next = waiting.next() { order.append(next.serial) }
    #expect(order == [11, 2, 21, 12, 3])
    #expect(waiting.isEmpty)
  }

  @Test func `there is room for so many of one caller, and so many in all`() throws {
    var waiting = WaitingCalls()
    #expect(!waiting.append(try call(1, from: nil)))
    var taken = 0
    for caller in 0..<20 {
      for _ in 0..<300 where waiting.append(try call(1, from: ":1.\(caller)")) { taken += 1 }
      #expect(taken == min((caller + 1) * ConnectionLimits.waitingCallsPerCaller, 2_048))
    }
    #expect(waiting.count == ConnectionLimits.waitingCalls)
    _ = waiting.next()
    #expect(waiting.append(try call(1, from: ":1.99")))
  }
}

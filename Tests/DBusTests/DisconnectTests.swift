// SPDX-License-Identifier: MIT
import EventLoop
import TestSupport
import Testing

@testable import DBus

@Suite(.privateBus)
struct DisconnectTests {
  @Test func `a bus that goes away is told once, after pending calls have failed`() throws {
    let pair = try ConnectionPair()
    var events: [String] = []
    pair.client.onDisconnected = { events.append("gone") }
    pair.server.onMethodCall = { _ in }
    for number in 1...3 {
      try pair.client.call(try pair.method("Silent")) { result in
        if case .failure(let error) = result { events.append("\(number) \(error.name)") }
      }
    }
    let cancelled = try pair.client.call(try pair.method("Silent")) { _ in events.append("never") }
    cancelled.cancel()
    #expect(!cancelled.isPending)
    let waiting = try pair.client.call(try pair.method("Silent")) { _ in }
    #expect(waiting.isPending)
    PrivateBus.current.stop()
    try pair.run { events.last == "gone" && !pair.server.isConnected }
    let name = ErrorName.disconnected
    #expect(events == ["1 \(name)", "2 \(name)", "3 \(name)", "gone"])
    #expect(!waiting.isPending)
    for connection in [pair.client, pair.server] { try Self.refusesEverything(connection) }
    pair.client.close()
    try Self.refusesEverything(pair.client)
    try pair.loop.runOnce(timeout: .zero)
    #expect(events.count == 4)
  }

  private static func refusesEverything(_ connection: BusConnection) throws {
    #expect(!connection.isConnected)
    let call = MethodCall.bus(BusDriver.identity)
    let attempts: [() throws -> Void] = [
      { try connection.send(call) },
      { _ = try connection.callAndWait(call) },
      { try connection.call(call) { _ in } },
      { try connection.flushAndWait() },
      { try connection.attach(to: EventLoop()) },
      { _ = try connection.subscribe(.signal()) { _ in } },
      { _ = try connection.requestName(BusName(constant: "a.b")) },
      {
        try connection.send(
          signal: MemberName(constant: "S"),
          of: InterfaceName(constant: "a.b"),
          from: .root
        ) { _ in }
      },
    ]
    for attempt in attempts {
      let error = #expect(throws: BusError.self) { try attempt() }
      #expect(error?.name == .disconnected)
    }
  }

  @Test func `what came before the end is handled before it`() throws {
    let pair = try ConnectionPair()
    var events: [String] = []
    pair.server.onMethodCall = { events.append("\($0.member?.rawValue ?? "")") }
    pair.server.onDisconnected = { events.append("gone") }
    pair.server.willFlush = { if events.last == "gone" { events.append("flush") } }
    for _ in 0..<3 { try pair.client.send(try pair.method("Late")) }
    // The bus answers in order, so the calls are in the server's socket when this returns.
    try pair.client.flushAndWait()
    _ = try pair.client.busID
    PrivateBus.current.stop()
    try pair.run { events.contains("flush") }
    #expect(events == ["Late", "Late", "Late", "gone", "flush"])
  }

  @Test func `a call that is waited for fails when the bus drops the connection`() throws {
    let connection = try BusConnection(address: PrivateBus.current.address)
    var header = OutgoingHeader(kind: .methodCall, serial: connection.takeSerial())
    header.path = .root
    header.member = MemberName(constant: "A")
    // The bus takes no signature that is none for a message, and ends the connection.
    var writer = MessageWriter()
    writer.append("x")
    var buffer = ByteBuffer()
    header.compose(writer, into: &buffer)
    connection.outgoing.buffer.append(buffer.array(from: 0, upTo: buffer.count).map { $0 &+ 1 })
    let error = #expect(throws: BusError.self) { _ = try connection.busID }
    #expect(error?.name == .disconnected)
    try Self.refusesEverything(connection)
  }

  @Test func `closing from within any handler is safe`() throws {
    for number in 0..<6 {
      let pair = try ConnectionPair()
      let close = { [weak client = pair.client] in
        client?.close()
        client?.close()
      }
      var results = 0
      switch number {
      case 0: pair.client.willFlush = close
      case 1:
        pair.client.onMethodCall = { _ in close() }
        let name = try #require(pair.client.uniqueName)
        let call = MethodCall(
          destination: name,
          path: .root,
          interface: nil,
          member: MemberName(constant: "A")
        )
        try pair.server.call(call) { _ in }
      case 2: try pair.client.call(.bus(BusDriver.identity)) { _ in close() }
      case 3:
        #expect(throws: BusError.self) {
          try pair.client.call(.bus(BusDriver.identity)) { _ in
            close()
          } completion: { _ in
            Issue.record("not sent")
          }
        }
      case 4:
        try pair.client.call(.bus(BusDriver.identity), timeout: .zero) { _ in close() }
      default:
        pair.client.onDisconnected = close
        pair.client.isBroken = false
        pair.client.noteDisconnect()
      }
      let isSent = (try? pair.client.call(.bus(BusDriver.identity)) { _ in results += 1 }) != nil
      try pair.run { pair.client.state == .closed }
      #expect(results == (isSent ? 1 : 0))
    }
  }

  @Test func `a connection that is let go of closes`() throws {
    let pair = try ConnectionPair()
    var transient: BusConnection? = try BusConnection(address: PrivateBus.current.address)
    try transient?.attach(to: pair.loop)
    let name = try #require(transient?.uniqueName)
    var failure: BusError?
    try transient?.call(try pair.method("A")) {
      if case .failure(let error) = $0 { failure = error }
    }
    #expect(try pair.client.hasOwner(name))
    transient = nil
    #expect(failure?.name == .disconnected)
    try pair.run { (try? pair.client.hasOwner(name)) == false }
  }
}

// SPDX-License-Identifier: MIT
import CLinux
import EventLoop
import Glibc
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

  private static func refusesEverything(_ connection: Connection) throws {
    #expect(!connection.isConnected)
    let call = MethodCall.bus(BusDriver.getID)
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
    let bus = try PrivateBus(configuration: #"<limit name="max_message_size">65536</limit>"#)
    let connection = try Connection(address: bus.address)
    // A bus does not refuse a message that is too long, but ends the connection.
    try connection.send(.bus(BusDriver.getID)) { $0.append(String(repeating: "x", count: 1 << 17)) }
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
      case 2: try pair.client.call(.bus(BusDriver.getID)) { _ in close() }
      case 3:
        #expect(throws: BusError.self) {
          try pair.client.call(.bus(BusDriver.getID)) { _ in
            close()
          } completion: { _ in
            Issue.record("not sent")
          }
        }
      case 4:
        try pair.client.call(.bus(BusDriver.getID), timeout: .zero) { _ in close() }
      default:
        pair.client.onDisconnected = close
        PrivateBus.current.stop()
      }
      let isSent = (try? pair.client.call(.bus(BusDriver.getID)) { _ in results += 1 }) != nil
      try pair.run { pair.client.isClosed }
      #expect(results == (isSent ? 1 : 0))
    }
  }

  @Test func `a connection that is let go of closes`() throws {
    let pair = try ConnectionPair()
    var transient: Connection? = try Connection(address: PrivateBus.current.address)
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

/// A descriptor that is closed with this object.
private final class Descriptor {
  let rawValue: CInt

  init(_ rawValue: CInt) {
    self.rawValue = rawValue
  }

  deinit {
    close(rawValue)
  }
}

/// A bus that authenticates, and then sends whatever the test wants.
private final class FakeBus {
  let address: String
  private let path: String
  private let loop: EventLoop
  private let listener: Descriptor
  private var peer: Descriptor?
  private var watch: Watch?
  private var received: [UInt8] = []
  private var isThrough = false
  private let bytes: [UInt8]

  init(on loop: EventLoop, sending bytes: [UInt8]) throws {
    self.loop = loop
    self.bytes = bytes
    path = "/tmp/badged-fake.\(getpid()).\(UInt32.random(in: 0 ... .max))"
    address = "unix:path=\(path)"
    let raw = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    try #require(raw >= 0)
    listener = Descriptor(raw)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      unsafe room.copyBytes(from: Array(path.utf8))
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(raw, $0, size) == 0
      }
    }
    try #require(isBound && listen(raw, 1) == 0)
    try loop.watch(raw, for: .readable) { [weak self] _ in self?.accept() }
  }

  deinit {
    _ = unsafe unlink(path)
  }

  private func accept() {
    let raw = accept4(listener.rawValue, nil, nil, CInt(SOCK_CLOEXEC.rawValue))
    guard raw >= 0 else { return }
    peer = Descriptor(raw)
    watch = try? loop.watch(raw, for: .readable) { [weak self] _ in self?.receive(from: raw) }
  }

  private func receive(from socket: CInt) {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe recv(socket, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    guard count > 0 else {
      watch?.cancel()
      return
    }
    guard !isThrough else { return }
    received += bytes.prefix(count)
    let lines = String(decoding: received, as: UTF8.self)
    if lines.contains("BEGIN\r\n") {
      isThrough = true
      send(bytes, on: socket)
    } else if lines.hasSuffix("NEGOTIATE_UNIX_FD\r\n") {
      send(Array("AGREE_UNIX_FD\r\n".utf8), on: socket)
    } else if lines.hasSuffix("\r\n") {
      send(Array("OK 0123456789abcdef0123456789abcdef\r\n".utf8), on: socket)
    }
  }

  private func send(_ bytes: [UInt8], on socket: CInt) {
    _ = unsafe Glibc.send(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL))
  }
}

struct StreamFaultTests {
  @Test func `bytes that are no message end the connection`() throws {
    let loop = try EventLoop()
    let bus = try FakeBus(on: loop, sending: [UInt8](repeating: 0x78, count: 64))
    var results: [Result<BusName, BusError>] = []
    var ends = 0
    let connection = try Connection(opening: bus.address, on: loop) { results.append($0) }
    connection.onDisconnected = { ends += 1 }
    let deadline = Instant.now() + .seconds(20)
    while ends == 0, Instant.now() < deadline { try loop.runOnce(timeout: .milliseconds(100)) }
    #expect(ends == 1)
    #expect(results.count == 1 && results.first?.isSuccess == false)
    #expect(!connection.isConnected)
    while try loop.runOnce(timeout: .zero) {}
    #expect(ends == 1)
  }
}

// SPDX-License-Identifier: MIT
import EventLoop
import TestSupport
import Testing

@testable import DBus

@Suite(.privateBus)
struct FlushTests {
  private static func emit(_ number: Int, from connection: Connection) throws {
    try connection.send(
      signal: MemberName(constant: "Tick"),
      of: InterfaceName(constant: "a.b"),
      from: .root
    ) { writer in
      writer.append(Int64(number))
      writer.append(String(repeating: "x", count: number % 5_000))
    }
  }

  @Test func `a slow bus gets everything in pieces, whole and in order`() throws {
    let pair = try ConnectionPair()
    var next = 0
    var drained = 0
    pair.server.onDrained = { drained += 1 }
    try pair.client.subscribe(.signal(MemberName(constant: "Tick"))) { signal in
      var reader = signal.makeReader()
      #expect((try? reader.readInt64()) == Int64(next))
      #expect((try? reader.readString().utf8.count) == next % 5_000)
      next += 1
    }
    _ = try pair.client.busID
    PrivateBus.current.pause()
    defer { PrivateBus.current.resume() }
    let total = 4_000
    for number in 0..<total {
      try Self.emit(number, from: pair.server)
      if number % 100 == 0 { pair.server.flush() }
    }
    pair.server.flush()
    #expect(pair.server.hasUnsentBytes)
    #expect(pair.server.unsentByteCount > 1_000_000)
    // With the socket full and nothing to read, the loop has nothing to do.
    while try pair.loop.runOnce(timeout: .zero) {}
    #expect(try !pair.loop.runOnce(timeout: .milliseconds(1)))
    #expect(throws: BusError.self) { try pair.server.flushAndWait(timeout: .milliseconds(5)) }
    PrivateBus.current.resume()
    try pair.run { next == total }
    #expect(drained == 1)
    #expect(!pair.server.hasUnsentBytes)
  }

  @Test func `waiting for the flush sends all of it without a loop`() throws {
    let sender = try Connection(address: PrivateBus.current.address)
    for number in 0..<2_000 { try Self.emit(number, from: sender) }
    try sender.flushAndWait()
    #expect(sender.unsentByteCount == 0)
    #expect(try sender.busID.count == 32)
  }

  @Test func `a turn is at most 512 messages, and its replies leave at its end`() throws {
    let pair = try ConnectionPair()
    var turns: [Int] = []
    var handled = 0
    pair.server.onMethodCall = { [weak server = pair.server] call in
      handled += 1
      try? server?.reply(to: call)
    }
    pair.server.willFlush = { [weak server = pair.server] in
      guard handled > 0 else { return }
      #expect(server?.unsentByteCount != 0)
      turns.append(handled)
      handled = 0
    }
    let total = 1_300
    var replies = 0
    let call = try pair.method("A")
    for _ in 0..<total { try pair.client.call(call) { if $0.isSuccess { replies += 1 } } }
    try pair.client.flushAndWait()
    // The bus has passed the calls on when it answers the client, and then comes its answer to the
    // server: all calls are read before the first is handled.
    _ = try pair.client.busID
    _ = try pair.server.busID
    try pair.run { replies == total }
    // The first message is the bus's NameAcquired.
    #expect(turns == [511, 512, 277])
  }

  @Test func `no reply leaves before willFlush, where a service commits`() throws {
    let pair = try ConnectionPair()
    let text = String(repeating: "x", count: 1 << 16)
    var handled = 0
    var committed = 0
    var isBlocked = false
    pair.server.onMethodCall = { [weak server = pair.server] call in
      handled += 1
      // Large enough to fill the socket, so that it is written to in the middle of turns too.
      try? server?.reply(to: call) { $0.append(text) }
      isBlocked = isBlocked || server?.hasUnsentBytes == true
    }
    pair.server.willFlush = { committed = handled }
    let total = 300
    var replies = 0
    let call = try pair.method("A")
    for _ in 0..<total {
      try pair.client.call(call) { result in
        replies += 1
        #expect(replies <= committed && result.isSuccess)
      }
    }
    pair.client.flush()
    try pair.run { replies == total }
    #expect(isBlocked)
  }

  @Test func `what another handler of the turn queues waits for willFlush as well`() throws {
    let pair = try ConnectionPair()
    var committed = 0
    var queued = 0
    var received = 0
    pair.server.willFlush = { committed = queued }
    try pair.client.subscribe(.signal(MemberName(constant: "Tick"))) { _ in
      received += 1
      #expect(received <= committed)
    }
    _ = try pair.client.busID
    // Its replies wake the server in the same turns in which the timers queue signals.
    func tick() {
      try? Self.emit(queued, from: pair.server)
      queued += 1
      _ = try? pair.server.call(.bus(BusDriver.getID)) { _ in }
      if queued < 200 { pair.loop.schedule(after: .zero) { tick() } }
    }
    tick()
    try pair.run { received == 200 }
  }

  @Test func `replies that the bus does not take hold up what is still to be handled`() throws {
    let pair = try ConnectionPair()
    let text = String(repeating: "x", count: 1 << 20)
    var handled = 0
    pair.server.onMethodCall = { [weak server = pair.server] call in
      handled += 1
      try? server?.reply(to: call) { $0.append(text) }
    }
    let total = 64
    var replies = 0
    let call = try pair.method("A")
    for _ in 0..<total { try pair.client.call(call) { if $0.isSuccess { replies += 1 } } }
    try pair.client.flushAndWait()
    _ = try pair.client.busID
    _ = try pair.server.busID
    PrivateBus.current.pause()
    defer { PrivateBus.current.resume() }
    while try pair.loop.runOnce(timeout: .zero) {}
    #expect(handled >= 4 && handled < 12)
    #expect(pair.server.unsentByteCount < 6 << 20)
    #expect(try !pair.loop.runOnce(timeout: .milliseconds(1)))
    PrivateBus.current.resume()
    try pair.run { replies == total }
    #expect(handled == total)
    #expect(pair.server.unsentByteCount == 0)
  }

  @Test func `a connection that is held leaves what comes in to the bus, and is not woken for it`()
    throws
  {
    let pair = try ConnectionPair()
    var handled = 0
    pair.server.onMethodCall = { _ in handled += 1 }
    try pair.client.send(try pair.method("A"))
    try pair.client.flushAndWait()
    // The bus has passed the call on when it answers.
    _ = try pair.client.busID
    PrivateBus.current.pause()
    defer { PrivateBus.current.resume() }
    while !pair.server.hasUnsentBytes {
      try Self.emit(4_999, from: pair.server)
      pair.server.flush()
    }
    while pair.server.unsentByteCount < Connection.outgoingBytesPerTurn {
      try Self.emit(4_999, from: pair.server)
    }
    var turns = 0
    while try pair.loop.runOnce(timeout: .zero), turns < 20 { turns += 1 }
    #expect(turns < 20)
    #expect(handled == 0)
    PrivateBus.current.resume()
    try pair.run { handled == 1 && pair.server.unsentByteCount == 0 }
  }

  @Test func `what comes while a call is waited for is kept up to a limit, and refused beyond it`()
    throws
  {
    let pair = try ConnectionPair()
    pair.server.onMethodCall = { [weak server = pair.server] in try? server?.reply(to: $0) }
    let call = try pair.method("A")
    let text = String(repeating: "x", count: 1 << 16)
    var taken = 0
    var refused = 0
    let total = 100
    for _ in 0..<total {
      try pair.client.call(call) {
        $0.append(text)
      } completion: { result in
        if case .failure(let error) = result {
          #expect(error == .limitsExceeded("4 MiB of messages that wait"))
          refused += 1
        } else {
          taken += 1
        }
      }
    }
    try pair.client.flushAndWait()
    // The bus has passed the calls on when it answers.
    _ = try pair.client.busID
    _ = try pair.server.busID
    #expect(pair.server.deferred.byteCount <= ConnectionLimits.receivedBytes)
    try pair.run { taken + refused == total }
    #expect(taken >= 60 && refused >= 30)
    #expect(pair.server.deferred.byteCount == 0)
  }

  @Test func `an idle connection wakes nobody`() throws {
    let pair = try ConnectionPair()
    while try pair.loop.runOnce(timeout: .zero) {}
    let count = pair.loop.wakeUpCount
    try pair.loop.runOnce(timeout: .milliseconds(50))
    #expect(pair.loop.wakeUpCount == count + 1)
  }
}

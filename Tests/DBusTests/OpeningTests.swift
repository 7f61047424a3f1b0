// SPDX-License-Identifier: MIT
import EventLoop
import TestSupport
import Testing

@testable import DBus

@Suite(.privateBus)
struct OpeningTests {
  @Test func `a connection opens on the loop, and what was queued before goes out after`() throws {
    let pair = try ConnectionPair()
    var members: [String] = []
    pair.server.onMethodCall = { members.append($0.member?.rawValue ?? "") }
    var results: [Result<BusName, BusError>] = []
    let third = try BusConnection(opening: PrivateBus.current.address, on: pair.loop) {
      results.append($0)
    }
    #expect(third.uniqueName == nil)
    #expect(third.isConnected)
    try third.send(try pair.method("Early"))
    var reply: Result<Message, BusError>?
    try third.call(.bus(BusDriver.identity)) { reply = $0 }
    #expect(throws: BusError.self) { try third.callAndWait(.bus(BusDriver.identity)) }
    #expect(throws: BusError.self) { try third.flushAndWait() }
    #expect(results.isEmpty)
    try pair.run { reply != nil && !members.isEmpty }
    #expect(results == [.success(try #require(third.uniqueName))])
    #expect(reply?.isSuccess == true)
    #expect(members == ["Early"])
    #expect(try third.requestName(BusName(constant: "a.b")) == .primaryOwner)
  }

  @Test func `many connections open at once`() throws {
    let pair = try ConnectionPair()
    var names: Set<BusName> = []
    let connections = try (0..<50).map { _ in
      try BusConnection(opening: PrivateBus.current.address, on: pair.loop) { result in
        if case .success(let name) = result { names.insert(name) }
      }
    }
    try pair.run { names.count == 50 }
    for connection in connections { connection.close() }
  }

  @Test(arguments: [
    "", "x", "unix:", "unix:path=/nonexistent/bus", "tcp:host=", "unix:path=a\u{1}",
  ])
  func `an address where no bus is is an error at once`(_ address: String) throws {
    let loop = try EventLoop()
    #expect(throws: BusError.self) { try BusConnection(address: address) }
    #expect(throws: BusError.self) {
      try BusConnection(opening: address, on: loop) { _ in Issue.record("not opened") }
    }
  }

  @Test func `an address with a NUL is not cut`() throws {
    let address = PrivateBus.current.address + "\0"
    #expect(throws: BusError.badAddress("an address with a NUL in it")) {
      try BusConnection(address: address)
    }
  }

  @Test func `a bus that refuses says why, and one that leaves is a disconnect`() throws {
    let bus = try PrivateBus(configuration: #"<limit name="max_connections_per_user">1</limit>"#)
    let first = try BusConnection(address: bus.address)
    let error = #expect(throws: BusError.self) { try BusConnection(address: bus.address) }
    let loop = try EventLoop()
    var results: [Result<BusName, BusError>] = []
    let second = try BusConnection(opening: bus.address, on: loop) { results.append($0) }
    #expect(try loop.run { results.count == 1 })
    if case .failure(let refusal)? = results.first { #expect(refusal.name == error?.name) }
    #expect(results.first?.isSuccess == false)
    second.close()
    first.close()
    bus.pause()
    let third = try BusConnection(opening: bus.address, on: loop) { results.append($0) }
    bus.resume()
    bus.stop()
    #expect(try loop.run { results.count >= 2 })
    third.close()
    #expect(results.count == 2)
  }

  @Test func `closing before Hello was answered fails the opening`() throws {
    let loop = try EventLoop()
    var results: [Result<BusName, BusError>] = []
    let connection = try BusConnection(opening: PrivateBus.current.address, on: loop) {
      results.append($0)
    }
    connection.close()
    #expect(results.map { $0.isSuccess } == [false])
    while try loop.runOnce(timeout: .zero) {}
    #expect(results.count == 1)
  }
}

// SPDX-License-Identifier: MIT
import EventLoop
import TestSupport
import Testing

@testable import DBus

/// Two connections to the test's own bus on one loop, and what tests do with them.
struct ConnectionPair {
  let loop: EventLoop
  let server: Connection
  let client: Connection

  init() throws {
    loop = try EventLoop()
    server = try Connection(address: PrivateBus.current.address)
    client = try Connection(address: PrivateBus.current.address)
    try server.attach(to: loop)
    try client.attach(to: loop)
  }

  /// Runs the loop until something is so.
  func run(until condition: () -> Bool) throws {
    let deadline = Instant.now() + .seconds(60)
    while !condition() {
      try #require(Instant.now() < deadline, "waited in vain")
      try loop.runOnce(timeout: .milliseconds(100))
    }
  }

  /// A method of the server's.
  func method(_ member: StaticString) throws -> MethodCall {
    MethodCall(
      destination: try #require(server.uniqueName),
      path: ObjectPath(constant: "/a"),
      interface: InterfaceName(constant: "a.b"),
      member: MemberName(constant: member)
    )
  }

  /// Calls a method of the server's and runs the loop until the reply is there.
  func call(
    _ member: StaticString,
    timeout: Duration = .seconds(20),
    _ body: (inout MessageWriter) -> Void = { _ in }
  ) throws -> Result<Message, BusError> {
    var reply: Result<Message, BusError>?
    try client.call(try method(member), timeout: timeout, body) { reply = $0 }
    try run { reply != nil }
    return try #require(reply)
  }
}

@Suite(.privateBus)
struct CallTests {
  @Test func `a call gets its reply`() throws {
    let pair = try ConnectionPair()
    pair.server.onMethodCall = { [server = pair.server] call in
      try? server.reply(to: call) { writer throws(BusError) in
        var reader = call.makeReader()
        writer.append(try reader.readInt64() + 1)
      }
    }
    let reply = try pair.call("Next") { $0.append(41 as Int64) }.get()
    #expect(try reply.values() == [.int64(42)])
  }

  @Test func `an error keeps its name and its text`() throws {
    let pair = try ConnectionPair()
    let error = BusError(name: ErrorName(constant: "a.b.Odd"), message: "it is odd: '3'")
    pair.server.onMethodCall = { [server = pair.server] in server.reply(to: $0, error: error) }
    let reply = try pair.call("Even")
    #expect(throws: error) { try reply.get() }
  }

  @Test func `the bus answers what it is asked`() throws {
    let connection = try Connection(address: PrivateBus.current.address)
    let name = try #require(connection.uniqueName)
    #expect(name.isUnique)
    #expect(try connection.busID.count == 32)
    #expect(connection.serverID.count == 32)
    #expect(try Connection(address: PrivateBus.current.address).serverID == connection.serverID)
    let wanted = BusName(constant: "org.example.Name")
    #expect(try connection.requestName(wanted, flags: .doNotQueue) == .primaryOwner)
    #expect(try connection.requestName(wanted) == .alreadyOwner)
    #expect(try connection.nameOwner(of: wanted) == name)
    #expect(try connection.queuedOwners(of: wanted) == [name])
    let other = try Connection(address: PrivateBus.current.address)
    #expect(try other.requestName(wanted, flags: .doNotQueue) == .exists)
    #expect(try other.requestName(wanted) == .inQueue)
    #expect(try connection.releaseName(wanted) == .released)
    #expect(try connection.releaseName(wanted) == .notOwner)
    #expect(try other.hasOwner(wanted))
    other.close()
    #expect(throws: BusError.disconnected("not connected to a bus")) {
      try other.hasOwner(wanted)
    }
  }
}

/// Calls that get no reply, late replies, and calls within calls.
@Suite(.privateBus)
struct CallTimingTests {
  @Test func `a reply that never comes is NoReply, and one that comes late is ignored`() throws {
    let pair = try ConnectionPair()
    var calls: [Message] = []
    pair.server.onMethodCall = { calls.append($0) }
    let reply = try pair.call("Silent", timeout: .milliseconds(20))
    #expect(throws: BusError.self) { try reply.get() }
    if case .failure(let error) = reply { #expect(error.name == .noReply) }
    try pair.server.reply(to: try #require(calls.first)) { $0.append("late") }
    pair.server.onMethodCall = { [weak server = pair.server] in try? server?.reply(to: $0) }
    #expect(try pair.call("Next").get().signature == "")
    #expect(pair.client.pendingCalls.isEmpty)
  }

  @Test func `a call that is waited for without a loop is NoReply after its time`() throws {
    let client = try Connection(address: PrivateBus.current.address)
    let server = try Connection(address: PrivateBus.current.address)
    let call = MethodCall(
      destination: try #require(server.uniqueName),
      path: .root,
      interface: nil,
      member: MemberName(constant: "Silent")
    )
    let start = Instant.now()
    let error = #expect(throws: BusError.self) {
      try client.callAndWait(call, timeout: .milliseconds(30))
    }
    #expect(error?.name == .noReply)
    #expect(Instant.now() - start >= .milliseconds(30))
    #expect(throws: BusError.self) { try client.callAndWait(call, timeout: .seconds(-1)) }
    #expect(try client.busID.count == 32)
  }

  @Test func `a call made before there is a loop gets its reply from the loop`() throws {
    let client = try Connection(address: PrivateBus.current.address)
    var replies: [String] = []
    try client.call(.bus(BusDriver.getID)) { replies.append("1 \($0.isSuccess)") }
    _ = try client.busID
    try client.call(.bus(BusDriver.getID), timeout: .seconds(20)) {
      replies.append("2 \($0.isSuccess)")
    }
    let loop = try EventLoop()
    try client.attach(to: loop)
    #expect(try loop.run { replies.count == 2 })
    #expect(replies == ["1 true", "2 true"])
    #expect(throws: BusError.failed("the connection has a loop already")) {
      try client.attach(to: loop)
    }
  }

  @Test func `a handler may wait for a call, and what came meanwhile is handled in order`() throws {
    let pair = try ConnectionPair()
    var handled: [String] = []
    pair.server.onMethodCall = { [weak server = pair.server] call in
      guard let server else { return }
      handled.append("begin \(call.member?.rawValue ?? "")")
      if call.hasMember(MemberName(constant: "First")) {
        let id = try? server.busID
        handled.append("id \(id?.count ?? 0)")
      }
      try? server.reply(to: call)
    }
    var replies = 0
    for member: StaticString in ["First", "Second", "Third"] {
      try pair.client.call(try pair.method(member)) { if $0.isSuccess { replies += 1 } }
    }
    try pair.run { replies == 3 }
    #expect(handled == ["begin First", "id 32", "begin Second", "begin Third"])
  }

  @Test func `a caller that wants no reply gets none`() throws {
    let pair = try ConnectionPair()
    var calls: [Bool] = []
    pair.server.onMethodCall = { [weak server = pair.server] call in
      calls.append(call.expectsReply)
      try? server?.reply(to: call) { _ in Issue.record("a body for nobody") }
      server?.reply(to: call, error: .failed("for nobody"))
      #expect(server?.unsentByteCount == 0)
    }
    try pair.client.send(try pair.method("Tell"))
    try pair.run { !calls.isEmpty }
    #expect(calls == [false])
  }

  @Test func `without a handler a connection answers Ping and refuses the rest`() throws {
    let pair = try ConnectionPair()
    var call = try pair.method("Ping")
    call.interface = BusDriver.peerInterface
    var reply: Result<Message, BusError>?
    try pair.client.call(call) { reply = $0 }
    try pair.run { reply != nil }
    #expect(reply?.isSuccess == true)
    let other = try pair.call("Other")
    if case .failure(let error) = other { #expect(error.name == .unknownMethod) }
    #expect(!other.isSuccess)
  }

  @Test func `a body that cannot be sent is an error of the call, and an error is answered anyhow`()
    throws
  {
    let pair = try ConnectionPair()
    pair.server.onMethodCall = { [weak server = pair.server] call in
      let error = #expect(throws: BusError.self) {
        try server?.reply(to: call) { $0.append("a\0b") }
      }
      #expect(error?.name == .invalidArguments)
      server?.reply(to: call, error: .failed("with a \0 in it"))
    }
    let reply = try pair.call("A")
    if case .failure(let error) = reply { #expect(error == .failed("")) }
    let thrown = BusError(name: ErrorName(constant: "a.b"), message: "thrown")
    let call = try pair.method("A")
    #expect(throws: thrown) {
      try pair.client.call(call) { _ throws(BusError) in
        throw thrown
      } completion: { _ in
        Issue.record("not sent")
      }
    }
    #expect(pair.client.unsentByteCount == 0)
    #expect(pair.client.pendingCalls.isEmpty)
  }

  @Test func `a body may send other messages, which go first`() throws {
    let pair = try ConnectionPair()
    var members: [String] = []
    pair.server.onMethodCall = { members.append($0.member?.rawValue ?? "") }
    let inner = try pair.method("Inner")
    try pair.client.send(try pair.method("Outer")) {
      [client = pair.client] writer throws(BusError) in
      writer.append("before")
      try client.send(inner) { $0.append("inner") }
      writer.append("after")
    }
    try pair.run { members.count == 2 }
    #expect(members == ["Inner", "Outer"])
  }
}

extension Result {
  var isSuccess: Bool {
    if case .success = self { true } else { false }
  }
}

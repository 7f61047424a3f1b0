// SPDX-License-Identifier: MIT
import EventLoop
import Glibc
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
    let third = try Connection(opening: PrivateBus.current.address, on: pair.loop) {
      results.append($0)
    }
    #expect(third.uniqueName == nil)
    #expect(third.isConnected)
    try third.send(try pair.method("Early"))
    var reply: Result<Message, BusError>?
    try third.call(.bus(BusDriver.getID)) { reply = $0 }
    #expect(throws: BusError.self) { try third.callAndWait(.bus(BusDriver.getID)) }
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
      try Connection(opening: PrivateBus.current.address, on: pair.loop) { result in
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
    #expect(throws: BusError.self) { try Connection(address: address) }
    #expect(throws: BusError.self) {
      try Connection(opening: address, on: loop) { _ in Issue.record("not opened") }
    }
  }

  @Test func `an address with a NUL is not cut`() throws {
    let address = PrivateBus.current.address + "\0"
    #expect(throws: BusError(name: .badAddress, message: "an address with a NUL in it")) {
      try Connection(address: address)
    }
  }

  @Test func `a bus that refuses says why, and one that leaves is a disconnect`() throws {
    let bus = try PrivateBus(configuration: #"<limit name="max_connections_per_user">1</limit>"#)
    let first = try Connection(address: bus.address)
    let error = #expect(throws: BusError.self) { try Connection(address: bus.address) }
    let loop = try EventLoop()
    var results: [Result<BusName, BusError>] = []
    let second = try Connection(opening: bus.address, on: loop) { results.append($0) }
    #expect(try loop.run { results.count == 1 })
    if case .failure(let refusal)? = results.first { #expect(refusal.name == error?.name) }
    #expect(results.first?.isSuccess == false)
    second.close()
    first.close()
    bus.pause()
    let third = try Connection(opening: bus.address, on: loop) { results.append($0) }
    bus.resume()
    bus.stop()
    #expect(try loop.run { results.count >= 2 })
    third.close()
    #expect(results.count == 2)
  }

  @Test func `closing before Hello was answered fails the opening`() throws {
    let loop = try EventLoop()
    var results: [Result<BusName, BusError>] = []
    let connection = try Connection(opening: PrivateBus.current.address, on: loop) {
      results.append($0)
    }
    connection.close()
    #expect(results.map { $0.isSuccess } == [false])
    while try loop.runOnce(timeout: .zero) {}
    #expect(results.count == 1)
  }
}

@Suite(.privateBus) struct GreetingTests {
  private static let getID = MethodCall.bus(MemberName(constant: "GetId"))

  @Test("Hello and the first call travel together, and both are answered")
  func greetsLater() throws {
    let connection = try Connection(deferringHello: PrivateBus.current.address)
    #expect(connection.uniqueName == nil)
    for _ in 0..<3 {
      var reader = try connection.callAndWait(Self.getID).makeReader()
      #expect(try reader.readString().utf8.count == 32)
    }
    let loop = try EventLoop()
    try connection.attach(to: loop)
    #expect(try loop.run { connection.uniqueName != nil })
    #expect(connection.uniqueName?.isUnique ?? false)
    connection.close()
  }

  @Test("Subscriptions made before the answer to Hello hold")
  func subscribesEarly() throws {
    let bus = PrivateBus.current
    let connection = try Connection(deferringHello: bus.address)
    var signals = 0
    let member = MemberName(constant: "Blinked")
    try connection.subscribe(.signal(member)) { _ in signals += 1 }
    let loop = try EventLoop()
    try connection.attach(to: loop)
    _ = try connection.callAndWait(Self.getID)
    let sender = try Connection(address: bus.address)
    try sender.send(
      signal: member,
      of: InterfaceName(constant: "org.example.Lamp"),
      from: ObjectPath(constant: "/lamp")
    ) { _ in }
    sender.flush()
    #expect(try loop.run { signals == 1 })
    sender.close()
    connection.close()
  }

  @Test("A bus that refuses the connection is told by the first call")
  func reportsRefusal() throws {
    let bus = try PrivateBus(configuration: "<limit name=\"max_connections_per_user\">1</limit>")
    defer { bus.stop() }
    let first = try Connection(address: bus.address)
    let second = try Connection(deferringHello: bus.address)
    do throws(BusError) {
      _ = try second.callAndWait(Self.getID)
      Issue.record("the bus took a second connection")
    } catch {
      #expect(error.name == .limitsExceeded, "\(error)")
    }
    #expect(second.uniqueName == nil)
    do throws(BusError) {
      _ = try second.callAndWait(Self.getID)
    } catch {
      #expect(error.name != .limitsExceeded)
    }
    second.close()
    first.close()
  }

  @Test("An address where nothing listens is refused at once")
  func reportsAbsence() {
    #expect(throws: BusError.self) { try Connection(deferringHello: "unix:path=/nonexistent") }
  }
}

struct SessionAddressTests {
  private static func address(_ environment: [String: String]) -> String? {
    Connection.sessionAddress { environment[$0] }
  }

  @Test func `the variable comes first, then the socket of the runtime folder`() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.write("", to: "bus")
    let runtime = ["XDG_RUNTIME_DIR": folder.path]
    #expect(Self.address(runtime) == "unix:path=\(folder.path)/bus")
    var both = runtime
    both["DBUS_SESSION_BUS_ADDRESS"] = "unix:abstract=x"
    #expect(Self.address(both) == "unix:abstract=x")
    both["DBUS_SESSION_BUS_ADDRESS"] = ""
    #expect(Self.address(both) == Self.address(runtime))
  }

  @Test func `a folder without a socket, or no absolute path, is passed over`() throws {
    let folder = try TemporaryDirectory()
    let fallback = "/run/user/\(getuid())/bus"
    let exists = unsafe access(fallback, F_OK) == 0
    for path in [folder.path, "relative", "", "/nonexistent"] {
      #expect(Self.address(["XDG_RUNTIME_DIR": path]) == (exists ? "unix:path=" + fallback : nil))
    }
  }

  @Test func `a path's odd bytes are escaped`() {
    #expect(Connection.escapedAddressValue("/a b/é;,=%") == "/a%20b/%c3%a9%3b%2c%3d%25")
    #expect(Connection.escapedAddressValue("/a-b_c.d\\*") == "/a-b_c.d\\*")
  }
}

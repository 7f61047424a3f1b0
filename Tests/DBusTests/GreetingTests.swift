// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import TestSupport
import Testing

@Suite(.privateBus) struct GreetingTests {
  private static let getID = MethodCall.bus(MemberName(constant: "GetId"))

  @Test("Hello and the first call travel together, and both are answered")
  func greetsLater() throws {
    let connection = try BusConnection(greetingLater: PrivateBus.current.address)
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
    let connection = try BusConnection(greetingLater: bus.address)
    var signals = 0
    let member = MemberName(constant: "Blinked")
    try connection.subscribe(.signal(member)) { _ in signals += 1 }
    let loop = try EventLoop()
    try connection.attach(to: loop)
    _ = try connection.callAndWait(Self.getID)
    let sender = try BusConnection(address: bus.address)
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
    let first = try BusConnection(address: bus.address)
    let second = try BusConnection(greetingLater: bus.address)
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
    #expect(throws: BusError.self) { try BusConnection(greetingLater: "unix:path=/nonexistent") }
  }
}

// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import DBus

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
    let connection = try BusConnection(address: PrivateBus.current.address)
    let name = try #require(connection.uniqueName)
    #expect(name.isUnique)
    #expect(try connection.busID.count == 32)
    #expect(connection.serverID.count == 32)
    #expect(try BusConnection(address: PrivateBus.current.address).serverID == connection.serverID)
    let wanted = BusName(constant: "org.example.Name")
    #expect(try connection.requestName(wanted, flags: .doNotQueue) == .primaryOwner)
    #expect(try connection.requestName(wanted) == .alreadyOwner)
    #expect(try connection.nameOwner(of: wanted) == name)
    #expect(try connection.queuedOwners(of: wanted) == [name])
    let other = try BusConnection(address: PrivateBus.current.address)
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

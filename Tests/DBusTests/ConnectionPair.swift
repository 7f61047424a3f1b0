// SPDX-License-Identifier: MIT
import EventLoop
import TestSupport
import Testing

@testable import DBus

/// Two connections to the test's own bus on one loop, and what tests do with them.
struct ConnectionPair {
  let loop: EventLoop
  let server: BusConnection
  let client: BusConnection

  init() throws {
    loop = try EventLoop()
    server = try BusConnection(address: PrivateBus.current.address)
    client = try BusConnection(address: PrivateBus.current.address)
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

extension BusConnection {
  /// The number of bytes that wait to go out.
  var unsentCount: Int { outgoing.count }
}

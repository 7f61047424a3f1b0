// SPDX-License-Identifier: MIT
import CDBus
import TestSupport
import Testing

@testable import DBus

@Suite(.privateBus)
struct LibraryTimeoutTests {
  @Test func `a timeout of libdbus's own fires on the loop, and is forgotten with it`() throws {
    let pair = try ConnectionPair()
    pair.server.onMethodCall = { _ in }
    let name = try #require(pair.server.uniqueName)
    let isSent = pair.client.library.with { connection in
      unsafe Self.send(on: connection, to: name, milliseconds: 20)
    }
    #expect(isSent == true)
    let timeouts = try #require(pair.client.libraryTimeouts)
    #expect(timeouts.count == 1)
    try pair.run { timeouts.count == 0 }
    _ = pair.client.library.with { unsafe Self.send(on: $0, to: name, milliseconds: 60_000) }
    #expect(timeouts.count == 1)
    pair.client.close()
    #expect(timeouts.count == 0)
  }

  /// Sends a call by libdbus's own means, with its own waiting for the reply.
  private static func send(
    on connection: OpaquePointer,
    to name: BusName,
    milliseconds: CInt
  ) -> Bool {
    let message = unsafe name.rawValue.withCString {
      unsafe dbus_message_new_method_call($0, "/", nil, "Silent")
    }
    var pending: OpaquePointer?
    guard
      unsafe dbus_connection_send_with_reply(connection, message, &pending, milliseconds) != 0
    else { return false }
    unsafe dbus_message_unref(message)
    unsafe dbus_pending_call_unref(pending)
    return true
  }
}

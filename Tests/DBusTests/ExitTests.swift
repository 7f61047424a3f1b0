// SPDX-License-Identifier: MIT
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import DBus

/// Each of these runs in a process of its own, which an abort or a trap would end.
struct ExitTests {
  @Test func `no argument of a call aborts`() async {
    await #expect(processExitsWith: .success) {
      let bus = try PrivateBus()
      let connection = try Connection(address: bus.address)
      let texts = ["", "\0", "a\0b", "/", "é", "\u{1}", String(repeating: "x", count: 70_000)]
      for text in texts {
        _ = try? Connection(address: text)
        _ = Connection.sessionAddress { _ in text }
        _ = (ObjectPath(text), InterfaceName(text), MemberName(text), BusName(text))
        _ = (ErrorName(text), Signature(text), ObjectPath.unescapedElement(text))
        _ = ObjectPath.root.appending(ObjectPath.escapedElement(text))
        try? connection.send(.bus(MemberName(constant: "AddMatch"))) { $0.append(text) }
        _ = try? connection.callAndWait(.bus(MemberName(constant: "AddMatch"))) { $0.append(text) }
        _ = try? connection.subscribe(MatchRule(arguments: [0: text])) { _ in }
      }
      var deep = Value.byte(1)
      for _ in 0..<10_000 { deep = .variant(deep) }
      let values: [Value] = [
        deep, .structure([]), .array(.empty, [.byte(1)]), .array(.string, [.byte(1)]),
        .dictionary(key: .array, value: .empty, []), .string("\0"),
        .dictionary(key: .byte, value: .string, [DictionaryEntry(key: deep, value: deep)]),
        .array(Signature(constant: "ss"), []), .variant(.structure([])),
      ]
      for value in values {
        _ = value.signature
        let interface = InterfaceName(constant: "a.b")
        let member = MemberName(constant: "M")
        try? connection.send(signal: member, of: interface, from: .root) { $0.append(value) }
        try? connection.send(signal: member, of: interface, from: .root) { $0.appendVariant(value) }
        _ = MessageWriter.encodeEntries { $0.appendEntry("a", variant: value) }
      }
      for timeout in [Duration.zero, .seconds(-1), .seconds(Int64.max), .nanoseconds(1)] {
        _ = try? connection.callAndWait(.bus(MemberName(constant: "GetId")), timeout: timeout)
        try? connection.flushAndWait(timeout: timeout)
      }
      connection.close()
      bus.stop()
    }
  }

  @Test func `a bus that ends does not end the program`() async {
    await #expect(processExitsWith: .success) {
      let bus = try PrivateBus()
      let loop = try EventLoop()
      let blocking = try Connection(address: bus.address)
      let connection = try Connection(address: bus.address)
      try connection.attach(to: loop)
      var isGone = false
      connection.onDisconnected = { isGone = true }
      bus.stop()
      // Neither libdbus's exit on disconnect nor SIGPIPE.
      let text = String(repeating: "x", count: 1_000_000)
      let call = MethodCall.bus(MemberName(constant: "AddMatch"))
      try? blocking.send(call) { $0.append(text) }
      blocking.flush()
      blocking.flush()
      _ = try? blocking.callAndWait(call)
      try? connection.send(call) { $0.append(text) }
      connection.flush()
      while !isGone { try loop.runOnce(timeout: .seconds(10)) }
    }
  }

  @Test func `closing, and letting go without closing, in any state does not abort`() async {
    await #expect(processExitsWith: .success) {
      let bus = try PrivateBus()
      let loop = try EventLoop()
      for closes in [true, false] {
        var connections: [Connection] = []
        connections.append(try Connection(address: bus.address))
        let attached = try Connection(address: bus.address)
        try attached.attach(to: loop)
        connections.append(attached)
        connections.append(try Connection(opening: bus.address, on: loop) { _ in })
        let busy = try Connection(address: bus.address)
        try busy.attach(to: loop)
        try busy.call(.bus(MemberName(constant: "GetId"))) { _ in }
        try busy.subscribe(.signal()) { _ in }
        connections.append(busy)
        if closes { for connection in connections + connections { connection.close() } }
        connections = []
      }
      while try loop.runOnce(timeout: .zero) {}
      bus.stop()
    }
  }

  @Test func `an invalid literal of the program's own is found at once`() async {
    await #expect(processExitsWith: .failure) { _ = ObjectPath(constant: "no path") }
    await #expect(processExitsWith: .failure) { _ = Signature(constant: "a{v") }
  }
}

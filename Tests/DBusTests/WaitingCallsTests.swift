// SPDX-License-Identifier: MIT
import Testing

@testable import DBus

struct WaitingCallsTests {
  private func call(_ serial: UInt32, from sender: String?) throws -> Message {
    let member = MemberName(constant: "M")
    let header = OutgoingHeader(kind: .methodCall, serial: serial, path: .root, member: member)
    return try Message(bytes: Marshalling.message(header, sender: sender.flatMap { BusName($0) }))
  }

  @Test func `callers take turns, and each one's calls stay in order`() throws {
    var waiting = WaitingCalls()
    for serial in 1...3 as ClosedRange<UInt32> {
      #expect(waiting.append(try call(serial, from: ":1.1")))
    }
    #expect(waiting.append(try call(11, from: ":1.2")))
    #expect(waiting.append(try call(12, from: ":1.2")))
    #expect(waiting.next()?.serial == 1)
    #expect(waiting.append(try call(21, from: ":1.3")))
    var order: [UInt32] = []
    while let next = waiting.next() { order.append(next.serial) }
    #expect(order == [11, 2, 21, 12, 3])
    #expect(waiting.isEmpty)
  }

  @Test func `there is room for so many of one caller, and so many in all`() throws {
    var waiting = WaitingCalls()
    #expect(!waiting.append(try call(1, from: nil)))
    var taken = 0
    for caller in 0..<20 {
      for _ in 0..<300 where waiting.append(try call(1, from: ":1.\(caller)")) { taken += 1 }
      #expect(taken == min((caller + 1) * ConnectionLimits.waitingCallsPerCaller, 2_048))
    }
    #expect(waiting.count == ConnectionLimits.waitingCalls)
    _ = waiting.next()
    #expect(waiting.append(try call(1, from: ":1.99")))
  }
}

// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import DBus

struct IncomingQueueTests {
  /// Two sockets, and the queue that reads one of them.
  private final class Pair {
    let reading: UnixDescriptor
    var writing: UnixDescriptor?
    private var queue = IncomingQueue()

    init() throws {
      var ends: [CInt] = [-1, -1]
      try #require(unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
      reading = UnixDescriptor(adopting: ends[0])
      writing = UnixDescriptor(adopting: ends[1])
    }

    var isFull: Bool { queue.isFull }
    var isEmpty: Bool { queue.isEmpty }

    func write(_ bytes: [UInt8]) throws {
      let socket = try #require(writing).rawValue
      #expect(unsafe Glibc.send(socket, bytes, bytes.count, 0) == bytes.count)
    }

    func read() -> IncomingQueue.Outcome { queue.read(from: reading.rawValue) }

    func next() throws -> Message? { try queue.next() }
  }

  private static func message(_ text: String) throws -> [UInt8] {
    try Marshalling.message { $0.append(text) }
  }

  private static func text(_ message: Message?) throws -> String {
    var reader = try #require(message).makeReader()
    return try reader.readString()
  }

  @Test func `messages are whole, however their bytes come`() throws {
    let pair = try Pair()
    #expect(pair.read() == .nothing)
    for byte in try Self.message("one") {
      #expect(try pair.next() == nil)
      try pair.write([byte])
      #expect(pair.read() == .some)
    }
    #expect(try Self.text(try pair.next()) == "one")
    #expect(pair.isEmpty)
    try pair.write(
      try Self.message("two") + Self.message("three") + Self.message("four").dropLast()
    )
    #expect(pair.read() == .some)
    #expect(try Self.text(try pair.next()) == "two")
    #expect(try Self.text(try pair.next()) == "three")
    #expect(try pair.next() == nil)
    #expect(!pair.isEmpty)
  }

  @Test func `a message longer than what is read at once comes in pieces`() throws {
    let pair = try Pair()
    let text = String(repeating: "x", count: 3 << 20)
    let bytes = try Self.message(text)
    var sent = 0
    var found: Message?
    while found == nil {
      let end = min(sent + 50_000, bytes.count)
      if sent < end { try pair.write(Array(bytes[sent..<end])) }
      sent = end
      _ = pair.read()
      found = try pair.next()
    }
    #expect(try Self.text(found) == text)
    #expect(sent == bytes.count)
  }

  @Test func `a kind that is not known is passed over, and bytes that are no message are an error`()
    throws
  {
    let pair = try Pair()
    var unknown = try Self.message("odd")
    unknown[1] = 9
    try pair.write(unknown + (try Self.message("next")) + [UInt8](repeating: 0x78, count: 16))
    #expect(pair.read() == .some)
    #expect(try Self.text(try pair.next()) == "next")
    #expect(throws: BusError.inconsistentMessage("not the header of a message")) {
      try pair.next()
    }
  }

  @Test func `fewer bytes than a header tell no length`() throws {
    let bytes = try Self.message("x")
    for count in 0..<MessageHeader.fixedLength {
      let start = Array(bytes.prefix(count))
      #expect(MessageHeader.messageLength(start.span, at: 0) == nil)
    }
    #expect(MessageHeader.messageLength(bytes.span, at: 0) == bytes.count)
    #expect(MessageHeader.messageLength(bytes.span, at: -1) == nil)
    #expect(MessageHeader.messageLength(bytes.span, at: bytes.count) == nil)
  }

  @Test func `the end of the stream is told after what came before it`() throws {
    let pair = try Pair()
    try pair.write(try Self.message("last"))
    pair.writing = nil
    #expect(pair.read() == .some)
    #expect(pair.read() == .ended)
    #expect(try Self.text(try pair.next()) == "last")
  }

  @Test func `no more is read ahead than the limit`() throws {
    let pair = try Pair()
    let bytes = try Self.message(String(repeating: "x", count: 10_000))
    var count = 0
    while !pair.isFull {
      try pair.write(bytes)
      while pair.read() == .full {}
      count += 1
    }
    #expect(count == ConnectionLimits.receivedBytes / bytes.count + 1)
    #expect(try pair.next() != nil)
    #expect(!pair.isFull)
  }

  @Test func `no more open files are held than the limit, and those that nobody claims are closed`()
    throws
  {
    let pair = try Pair()
    var outgoing = OutgoingQueue()
    var writer = MessageWriter()
    let socket = try #require(pair.writing)
    writer.append(socket)
    let header = OutgoingHeader(kind: .methodCall, serial: 1, path: .root, member: BusDriver.ping)
    for _ in 0..<ConnectionLimits.receivedDescriptors {
      #expect(!pair.isFull)
      outgoing.append(header, writer)
      let outcome = outgoing.write(to: socket.rawValue)
      #expect(outcome == .drained)
      #expect(pair.read() == .full)
    }
    #expect(pair.isFull)
    weak var descriptor: UnixDescriptor?
    do {
      let message = try #require(try pair.next())
      #expect(message.descriptors.count == 1)
      descriptor = message.descriptors.first
      #expect(descriptor != nil)
    }
    #expect(descriptor == nil)
    #expect(!pair.isFull)
  }
}

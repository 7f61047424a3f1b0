// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

@testable import DBus

@Suite(.privateBus)
struct DescriptorTests {
  /// A pipe's two ends.
  private static func pipe() throws -> (reading: UnixDescriptor, writing: UnixDescriptor) {
    var ends: [CInt] = [-1, -1]
    try #require(unsafe Glibc.pipe(&ends) == 0)
    return (UnixDescriptor(adopting: ends[0]), UnixDescriptor(adopting: ends[1]))
  }

  private static func write(_ byte: UInt8, to descriptor: UnixDescriptor) {
    var byte = byte
    #expect(unsafe Glibc.write(descriptor.rawValue, &byte, 1) == 1)
  }

  private static func read(from descriptor: UnixDescriptor) -> UInt8 {
    var byte: UInt8 = 0
    #expect(unsafe Glibc.read(descriptor.rawValue, &byte, 1) == 1)
    return byte
  }

  @Test func `descriptors arrive at their places, between other messages`() throws {
    let pair = try ConnectionPair()
    let pipes = try (0..<3).map { _ in try Self.pipe() }
    var received: [[Value]] = []
    pair.server.onMethodCall = { received.append((try? $0.values()) ?? []) }
    try pair.client.send(try pair.method("Before"))
    try pair.client.send(try pair.method("Descriptors")) { writer in
      writer.append(pipes[1].writing)
      writer.appendArray(of: Signature(.unixDescriptor)) { writer in
        writer.append(pipes[0].writing)
        writer.append(pipes[1].writing)
      }
      writer.appendDictionary {
        $0.appendEntry("a", variant: Value.unixDescriptor(pipes[2].writing))
      }
      writer.appendStructure {
        $0.append("text"); $0.append(pipes[0].writing)
      }
    }
    try pair.client.send(try pair.method("After")) { $0.append("after") }
    try pair.run { received.count == 3 }
    #expect(received[0] == [])
    #expect(received[2] == [.string("after")])
    let found = received[1].flatMap { Self.descriptors(in: $0) }
    #expect(found.count == 5)
    for (index, pipe) in zip([1, 0, 1, 2, 0], 0...) {
      let descriptor = try #require(found.indices.contains(pipe) ? found[pipe] : nil)
      Self.write(UInt8(pipe), to: descriptor)
      #expect(Self.read(from: pipes[index].reading) == UInt8(pipe))
    }
  }

  private static func descriptors(in value: Value) -> [UnixDescriptor] {
    switch value {
    case .unixDescriptor(let descriptor): [descriptor]
    case .array(_, let values), .structure(let values): values.flatMap { descriptors(in: $0) }
    case .dictionary(_, _, let entries): entries.flatMap { descriptors(in: $0.value) }
    case .variant(let value): descriptors(in: value)
    default: []
    }
  }

  @Test func `descriptors get through when the socket was full`() throws {
    let pair = try ConnectionPair()
    let pipe = try Self.pipe()
    var count = 0
    var descriptors = 0
    pair.server.onMethodCall = { call in
      count += 1
      var reader = call.makeReader()
      try? reader.skipValue()
      if (try? reader.readUnixDescriptor()) != nil { descriptors += 1 }
    }
    PrivateBus.current.pause()
    defer { PrivateBus.current.resume() }
    let call = try pair.method("Descriptor")
    let text = String(repeating: "x", count: 20_000)
    for number in 0..<100 {
      try pair.client.send(call) { writer in
        writer.append(text)
        if number % 3 == 0 { writer.append(pipe.reading) }
      }
    }
    pair.client.flush()
    #expect(pair.client.hasUnsentBytes)
    PrivateBus.current.resume()
    try pair.run { count == 100 }
    #expect(descriptors == 34)
  }

  @Test func `a call that is waited for carries descriptors too`() throws {
    let connection = try BusConnection(address: PrivateBus.current.address)
    let pipe = try Self.pipe()
    // The bus refuses the argument by its type, so it has read the message.
    let error = #expect(throws: BusError.self) {
      try connection.callAndWait(.bus(BusDriver.nameOwner)) { $0.append(pipe.reading) }
    }
    #expect(error?.name == .invalidArguments)
  }

  @Test func `more descriptors than a bus takes are an error`() throws {
    let pair = try ConnectionPair()
    let pipes = try (0..<9).map { _ in try Self.pipe() }
    let error = #expect(throws: BusError.self) {
      try pair.client.send(try pair.method("Many")) { writer in
        for pipe in pipes {
          writer.append(pipe.reading)
          writer.append(pipe.writing)
        }
      }
    }
    #expect(error?.name == .limitsExceeded)
    let entries = MessageWriter.encodeEntries {
      $0.appendEntry("a", variant: .unixDescriptor(pipes[0].reading))
    }
    #expect(entries.failure?.name == .invalidArguments)
  }

  @Test func `a second descriptor of one file is its own, and a bad number is an error`() throws {
    let pipe = try Self.pipe()
    let copy = try UnixDescriptor(duplicating: pipe.writing.rawValue)
    #expect(copy.rawValue != pipe.writing.rawValue)
    #expect(copy != pipe.writing)
    Self.write(7, to: copy)
    #expect(Self.read(from: pipe.reading) == 7)
    #expect(throws: BusError.self) { try UnixDescriptor(duplicating: -1) }
  }
}

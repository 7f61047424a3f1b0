// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import DBus

struct RandomValueTests {
  @Test func `libdbus takes thousands of random values, and they are read back as they were`()
    throws
  {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<5_000 {
      let types = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        generator.type(depth: 4)
      }
      let values = types.map { generator.value(of: $0, depth: 4) }
      let bytes = try Marshalling.message { writer in for value in values { writer.append(value) } }
      let signature = types.map { $0.rawValue }.joined()
      #expect(Marshalling.libdbusAccepts(bytes, signature: signature))
      let message = try Message(bytes: bytes)
      #expect(message.signature == signature)
      #expect(try message.values() == values)
      #expect(values.map { $0.signature } == types)
      var reader = message.makeReader()
      for type in types {
        #expect(reader.nextSignature == type)
        try reader.skipValue()
      }
      #expect(reader.nextType == nil)
      #expect(reader.position == bytes.count)
    }
  }

  @Test func `bytes of which some are wrong are read or refused, and nothing traps`() throws {
    var generator = SeededGenerator(seed: 4)
    var refused = 0
    for _ in 0..<8_000 {
      let values = (0..<3).map { _ in generator.value(of: generator.type(depth: 4), depth: 4) }
      var bytes = try Marshalling.message { writer in
        for value in values { writer.append(value) }
      }
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] =
          [0, 1, 0xff, UInt8(ascii: "a"), .random(in: 0...255, using: &generator)][
            Int.random(in: 0..<5, using: &generator)
          ]
      }
      if Bool.random(using: &generator) {
        bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
      }
      let isRead = (try? Message(bytes: bytes).values()) != nil
      if !isRead { refused += 1 }
      let isKnownKind = bytes.count > 1 && MessageKind(rawValue: bytes[1]) != nil
      if isKnownKind { #expect(isRead == Marshalling.libdbusAccepts(bytes), "\(bytes)") }
    }
    #expect(refused > 400)
  }

  @Test func `bytes at random behind a good header are read or refused`() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<8_000 {
      let count = Int.random(in: 0...48, using: &generator)
      let noise: [UInt8] = (0..<count).map { _ in
        Bool.random(using: &generator)
          ? .random(in: 0...8, using: &generator) : .random(in: 0...255, using: &generator)
      }
      let types = generator.type(depth: 4).rawValue + generator.type(depth: 2).rawValue
      let bytes = Marshalling.message(types: types, body: noise)
      let isRead = (try? Message(bytes: bytes).values()) != nil
      #expect(isRead == Marshalling.libdbusAccepts(bytes), "\(bytes)")
    }
  }
}

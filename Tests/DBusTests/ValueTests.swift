// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import DBus

@Suite(.privateBus)
struct ValueTests {
  static let values: [Value] =
    [
      .byte(0), .byte(.max), .boolean(false), .boolean(true), .int16(.min), .uint16(.max),
      .int32(.min), .uint32(.max), .int64(.min), .int64(.max), .uint64(.max),
      .double(-0.5), .double(.infinity), .double(.greatestFiniteMagnitude),
      .string(""), .string("a"), .string("é\u{1f600}\n\u{fffe}"), .string("e\u{301}"),
      .objectPath(.root), .objectPath(ObjectPath(constant: "/a/b_9")),
      .signature(.empty), .signature(.namedValues),
      .variant(.byte(1)), .variant(.variant(.variant(.string("deep")))),
      .variant(.array(.variant, [.variant(.int16(1)), .variant(.structure([.byte(1)]))])),
      .structure([.byte(1)]), .structure([.byte(1), .int64(2), .structure([.string("x")])]),
      .array(.string, []), .array(.string, [.string("a"), .string("b")]),
      .array(Signature(.int64), []), .array(Signature(.int64), [.int64(1)]),
      .array(Signature(.byte), []), .array(Signature(.byte), [.byte(1), .byte(2)]),
      .array(Signature(constant: "(yx)"), []),
      .array(Signature(constant: "(yx)"), [.structure([.byte(1), .int64(2)])]),
      .array(Signature(constant: "as"), [.array(.string, []), .array(.string, [.string("")])]),
      .array(Signature(constant: "a{sv}"), []),
      .array(Signature(constant: "a{sv}"), [.namedValues([]), .namedValues([("a", .byte(1))])]),
      .namedValues([]), .namedValues([("a", .byte(1)), ("", .structure([.string("")]))]),
      .dictionary(key: .string, value: Signature(constant: "a{sx}"), []),
    ] + dictionaries

  /// A dictionary for each type a key can have.
  static let dictionaries: [Value] = [
    .byte(1), .boolean(true), .int16(1), .uint16(1), .int32(1), .uint32(1), .int64(1), .uint64(1),
    .double(1), .string("k"), .objectPath(.root), .signature(.string),
  ].flatMap { (key: Value) in
    [
      .dictionary(key: key.typeCode, value: .variant, []),
      .dictionary(
        key: key.typeCode,
        value: Signature(.uint16),
        [DictionaryEntry(key: key, value: .uint16(7))]
      ),
    ]
  }

  @Test func `each value arrives at another connection as it was, alone and in a variant`() throws {
    let pair = try ConnectionPair()
    pair.server.onMethodCall = { [weak server = pair.server] call in
      try? server?.reply(to: call) { writer throws(BusError) in
        for value in try call.values() { writer.append(value) }
      }
    }
    for value in Self.values {
      let reply = try pair.call("Echo") { writer in
        writer.append(7 as UInt8)
        writer.append(value)
        writer.appendVariant(value)
      }
      let values = try reply.get().values()
      #expect(values == [.byte(7), value, .variant(value)])
      #expect(try reply.get().signature == "y\(value.signature?.rawValue ?? "?")v")
      // What is equal to Swift may differ on the wire.
      #expect("\(values[1])".utf8.elementsEqual("\(value)".utf8))
    }
  }

  @Test func `NaN and minus zero keep their bits`() throws {
    let numbers: [Double] = [.nan, -.nan, .signalingNaN, -0.0]
    let bytes = try Marshalling.message { writer in for number in numbers { writer.append(number) }
    }
    var reader = try Message.demarshal(bytes).makeReader()
    for number in numbers { #expect(try reader.readDouble().bitPattern == number.bitPattern) }
  }

  @Test func `overloads write what their names say, in a body, in a variant and in an entry`()
    throws
  {
    let bytes = try Marshalling.message { writer in
      writer.appendStructure { writer in
        writer.append("s"); writer.append(true); writer.append(1 as UInt8)
        writer.append(2 as Int16); writer.append(3 as UInt16); writer.append(4 as Int32)
        writer.append(5 as UInt32); writer.append(6 as Int64); writer.append(7 as UInt64)
        writer.append(8.5); writer.append(ObjectPath.root); writer.append(Signature.variant)
      }
      writer.appendArray(of: .variant) { writer in
        writer.appendVariant("s"); writer.appendVariant(true); writer.appendVariant(1 as UInt8)
        writer.appendVariant(2 as Int16); writer.appendVariant(3 as UInt16)
        writer.appendVariant(4 as Int32); writer.appendVariant(5 as UInt32)
        writer.appendVariant(6 as Int64); writer.appendVariant(7 as UInt64)
        writer.appendVariant(8.5); writer.appendVariant(ObjectPath.root)
        writer.appendVariant(Signature.variant); writer.appendVariant(Value.byte(1))
      }
      writer.appendDictionary { writer in
        writer.appendEntry("a", variant: "s"); writer.appendEntry("b", variant: true)
        writer.appendEntry("c", variant: 1 as UInt8); writer.appendEntry("d", variant: 2 as Int16)
        writer.appendEntry("e", variant: 3 as UInt16); writer.appendEntry("f", variant: 4 as Int32)
        writer.appendEntry("g", variant: 5 as UInt32); writer.appendEntry("h", variant: 6 as Int64)
        writer.appendEntry("i", variant: 7 as UInt64); writer.appendEntry("j", variant: 8.5)
        writer.appendEntry("k", variant: ObjectPath.root)
        writer.appendEntry("l", variant: Signature.variant)
        writer.appendEntry("m", variant: Value.byte(1))
      }
    }
    #expect(Marshalling.libdbusAccepts(bytes, signature: "(sbynqiuxtdog)ava{sv}"))
    let members: [Value] = [
      .string("s"), .boolean(true), .byte(1), .int16(2), .uint16(3), .int32(4), .uint32(5),
      .int64(6), .uint64(7), .double(8.5), .objectPath(.root), .signature(.variant),
    ]
    let all = members + [.byte(1)]
    #expect(
      try Message.demarshal(bytes).values() == [
        .structure(members), .array(.variant, all.map { .variant($0) }),
        .namedValues(zip("abcdefghijklm", all).map { (String($0), $1) }),
      ]
    )
  }
}

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
      let message = try Message.demarshal(bytes)
      #expect(message.signature == signature)
      #expect(try message.values() == values)
      #expect(values.map { $0.signature } == types)
      var reader = message.makeReader()
      for type in types {
        #expect(reader.nextSignature == type)
        try reader.skipValue()
      }
      #expect(reader.nextType == nil)
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
      // What libdbus has taken for a message is read without an error.
      if let message = try? Message.demarshal(bytes) {
        _ = try message.values()
      } else {
        refused += 1
      }
    }
    #expect(refused > 400)
  }
}

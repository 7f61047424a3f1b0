// SPDX-License-Identifier: MIT
import Testing

@testable import DBus

struct MessageReaderTests {
  private static func reader(_ body: (inout MessageWriter) -> Void) throws -> MessageReader {
    try Message(bytes: Marshalling.message(body)).makeReader()
  }

  @Test func `the other byte order is read as well`() throws {
    let whole = Self.foreignMessage()
    #expect(Marshalling.libdbusAccepts(whole))
    let message = try Message(bytes: whole)
    #expect(message.isSwapped)
    #expect(message.serial == 7)
    #expect(message.path == ObjectPath(constant: "/a"))
    #expect(message.hasMember(MemberName(constant: "Member")))
    #expect(
      try message.values() == [
        .byte(9), .int16(-2), .int64(.min), .double(0.25), .string("text"),
        .array(Signature(.int32), [.int32(1), .int32(-1)]),
        .namedValues([("key", .uint16(513))]),
      ]
    )
  }

  private static func foreignMessage() -> [UInt8] {
    ForeignOrderWriter.message("ynxdsaia{sv}") { writer in
      writer.append(9 as UInt8)
      writer.append(-2 as Int16)
      writer.append(Int64.min)
      writer.append(0.25.bitPattern)
      writer.append("text")
      writer.append(8 as UInt32)
      writer.append(1 as Int32)
      writer.append(-1 as Int32)
      writer.append(14 as UInt32)
      writer.align(8)
      writer.append("key")
      writer.append(signature: "q")
      writer.append(513 as UInt16)
    }
  }

  private static func offset(of text: String, in bytes: [UInt8]) -> Int? {
    let text = Array(text.utf8)
    return bytes.indices.first { bytes[$0...].starts(with: text) }
  }

  @Test func `a value of another type than asked for is an error and stays unread`() throws {
    var reader = try Self.reader { $0.append("text") }
    let attempts: [(inout MessageReader) throws -> Void] = [
      { _ = try $0.readByte() },
      { _ = try $0.readBoolean() },
      { _ = try $0.readInt16() },
      { _ = try $0.readUInt16() },
      { _ = try $0.readInt32() },
      { _ = try $0.readUInt32() },
      { _ = try $0.readInt64() },
      { _ = try $0.readUInt64() },
      { _ = try $0.readDouble() },
      { _ = try $0.readObjectPath() },
      { _ = try $0.readSignature() },
      { _ = try $0.readUnixDescriptor() },
      { _ = try $0.readVariant() },
      { _ = try $0.readBytes() },
      { try $0.readArray { _ in } },
      { try $0.readEntries { _ in } },
      { try $0.readDictionary { _, _ in } },
      { try $0.readStructure { _ in } },
      { try $0.readVariant { _ in } },
    ]
    for attempt in attempts {
      let error = #expect(throws: BusError.self) { try attempt(&reader) }
      #expect(error?.name == .invalidArguments)
    }
    #expect(reader.nextType == .string)
    #expect(reader.nextSignature == .string)
    #expect(try reader.readString() == "text")
    #expect(reader.nextType == nil)
    #expect(reader.nextSignature == .empty)
    for attempt in attempts { #expect(throws: BusError.self) { try attempt(&reader) } }
    #expect(throws: BusError.self) { try reader.readString() }
    #expect(throws: BusError.self) { try reader.readValue() }
    #expect(throws: BusError.self) { try reader.skipValue() }
  }

  @Test func `what a container's closure leaves unread is passed over`() throws {
    var reader = try Self.reader { writer in
      writer.appendDictionary { writer in
        writer.appendEntry("a", variant: 1.0)
        writer.appendEntry("b", variant: Value.structure([.string("x"), .array(.variant, [])]))
        writer.appendEntry("c", variant: "last")
      }
      writer.appendStructure { writer in
        writer.append("skipped")
        writer.append(7 as UInt8)
      }
      writer.appendVariant(of: .namedValues) {
        $0.appendDictionary { $0.appendEntry("a", variant: true) }
      }
      writer.appendArray(of: Signature(constant: "(si)")) { writer in
        for number in 1...3 as ClosedRange<Int32> {
          writer.appendStructure { writer in
            writer.append("\(number)")
            writer.append(number)
          }
        }
      }
      writer.append("end")
    }
    var keys: [String] = []
    try reader.readDictionary { key, _ in keys.append(key) }
    #expect(keys == ["a", "b", "c"])
    try reader.readStructure { _ in }
    try reader.readVariant { _ in }
    var numbers: [String] = []
    try reader.readArray { reader throws(BusError) in
      try reader.readStructure { reader throws(BusError) in numbers.append(try reader.readString())
      }
    }
    #expect(numbers == ["1", "2", "3"])
    #expect(try reader.readString() == "end")
  }

  @Test func `typed reading follows the structure`() throws {
    var reader = try Self.reader { writer in
      writer.appendDictionary(key: .int32, value: Signature(constant: "ay")) { writer in
        writer.appendEntry {
          $0.append(-1 as Int32); $0.append(bytes: [1, 2, 3])
        }
        writer.appendEntry {
          $0.append(5 as Int32); $0.append(bytes: [])
        }
      }
      writer.appendVariant(of: .string) { $0.append("inner") }
      writer.append(Signature(constant: "a{sv}"))
      writer.append(ObjectPath(constant: "/x"))
    }
    #expect(reader.isAtDictionary)
    var entries: [Int32: [UInt8]] = [:]
    try reader.readEntries { entry throws(BusError) in
      let key = try entry.readInt32()
      entries[key] = try entry.readBytes()
    }
    #expect(entries == [-1: [1, 2, 3], 5: []])
    #expect(!reader.isAtDictionary)
    var text = ""
    try reader.readVariant { content throws(BusError) in text = try content.readString() }
    #expect(text == "inner")
    #expect(try reader.readSignature() == .namedValues)
    #expect(try reader.readObjectPath() == ObjectPath(constant: "/x"))
  }

  @Test func `a closure that throws ends the reading, and one that swaps readers cannot harm`()
    throws
  {
    var reader = try Self.reader { writer in
      writer.appendArray(of: .string) { writer in
        writer.append("a")
        writer.append("b")
      }
    }
    let other = try Self.reader { $0.append(1.0) }
    let start = reader
    let stop = BusError.failed("stop")
    #expect(throws: stop) { try reader.readArray { _ throws(BusError) in throw stop } }
    #expect(throws: BusError.self) { try reader.readArray { $0 = other } }
    #expect(throws: BusError.self) { try reader.readArray { $0 = start } }
    #expect(throws: BusError.self) {
      var first: MessageReader?
      try reader.readArray { element in
        if let first { element = first } else { first = element }
      }
    }
    #expect(try reader.readValue() == .array(.string, [.string("a"), .string("b")]))
  }

  @Test func `variants nested without end are refused`() throws {
    let depth = 100_000
    var body: [UInt8] = []
    for _ in 0..<depth { body += [1, UInt8(ascii: "v"), 0] }
    body += [1, UInt8(ascii: "y"), 0, 7]
    #expect(throws: BusError.inconsistentMessage("the body is not what its signature says")) {
      try Message(bytes: Marshalling.message(types: "v", body: body))
    }
  }

  @Test func `an error reply is an error with its name, whatever its body`() throws {
    for (body, text): ((inout MessageWriter) -> Void, String) in [
      ({ $0.append("why") }, "why"), ({ _ in }, ""), ({ $0.append(1.0) }, ""),
    ] {
      var writer = MessageWriter()
      body(&writer)
      var buffer = ByteBuffer()
      let header = OutgoingHeader(
        kind: .error,
        serial: 9,
        replySerial: 3,
        errorName: ErrorName(constant: "a.b.C")
      )
      header.compose(writer, into: &buffer)
      let message = try Message(bytes: buffer.array(from: 0, upTo: buffer.count))
      #expect(message.error == BusError(name: ErrorName(constant: "a.b.C"), message: text))
      #expect(message.replySerial == 3)
      #expect(message.errorName == ErrorName(constant: "a.b.C"))
      #expect(message.path == nil && message.interface == nil && message.member == nil)
      #expect(message.sender == nil && message.destination == nil)
      #expect(!message.expectsReply)
    }
  }

  @Test func `a message compares its fields without making texts of them`() throws {
    let bytes = try Marshalling.message { $0.append("x") }
    let message = try Message(bytes: bytes)
    #expect(message.hasPath(ObjectPath(constant: "/a/b")))
    #expect(!message.hasPath(ObjectPath(constant: "/a/c")))
    #expect(!message.hasPath(.root))
    #expect(message.hasInterface(InterfaceName(constant: "a.b")))
    #expect(!message.hasInterface(InterfaceName(constant: "a.bc")))
    #expect(message.hasMember(MemberName(constant: "M")))
    #expect(!message.hasMember(MemberName(constant: "N")))
    #expect(!message.hasSender(.bus))
    #expect(message.hasSignature(.string))
    #expect(!message.hasSignature(.empty))
    #expect(message.error == nil)
    let empty = try Message(bytes: Marshalling.message { _ in })
    #expect(empty.hasSignature(.empty))
    #expect(!empty.hasSignature(.string))
    #expect(empty.signature == "")
  }

  @Test func `a field of a later specification is passed over`() throws {
    // An interface is what a call need not have.
    let header = OutgoingHeader(
      kind: .methodCall,
      serial: 7,
      path: .root,
      interface: InterfaceName(constant: "a.b"),
      member: MemberName(constant: "M")
    )
    var bytes = try Marshalling.message(header, sender: nil)
    let interface = try #require(Self.offset(of: "\u{2}\u{1}s\0\u{3}\0\0\0a.b", in: bytes))
    bytes[interface] = 200
    #expect(try Message(bytes: bytes).interface == nil)
    #expect(try Message(bytes: bytes).member == header.member)
    bytes[interface + 2] = UInt8(ascii: "z")
    #expect(throws: BusError.self) { try Message(bytes: bytes) }
  }
}

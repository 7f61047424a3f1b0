// SPDX-License-Identifier: MIT
import Testing

@testable import DBus

struct ReaderTests {
  private static func reader(_ body: (inout MessageWriter) -> Void) throws -> MessageReader {
    try Message.demarshal(Marshalling.message(body)).makeReader()
  }

  @Test func `the other byte order is read as well`() throws {
    let whole = Self.foreignMessage()
    #expect(Marshalling.libdbusAccepts(whole))
    let message = try Message.demarshal(whole)
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
      writer.append("end")
    }
    let other = try Self.reader { $0.append(1.0) }
    let start = reader
    let stop = BusError.failed("stop")
    var copy = reader
    #expect(throws: stop) { try copy.readArray { _ throws(BusError) in throw stop } }
    copy = reader
    try copy.readArray { $0 = other }
    #expect(try copy.readString() == "end")
    copy = reader
    try copy.readArray { $0 = start }
    #expect(try copy.readString() == "end")
    #expect(try reader.readValue() == .array(.string, [.string("a"), .string("b")]))
  }

  @Test func `a closure reads no further than its element`() throws {
    var reader = try Self.reader { writer in
      writer.appendArray(of: .string) { writer in
        writer.append("a")
        writer.append("b")
      }
    }
    var texts: [String] = []
    try reader.readArray { element throws(BusError) in
      while element.nextType != nil { texts.append(try element.readString()) }
      texts.append("-")
    }
    #expect(texts == ["a", "-", "b", "-"])
  }

  @Test func `a message of variants nested as deep as libdbus allows is read`() throws {
    for depth in [63, 64] {
      var value = Value.byte(7)
      for _ in 0..<depth { value = .variant(value) }
      let message = try Message.demarshal(Marshalling.message { $0.append(value) })
      #expect(try message.values() == [value])
    }
  }

  @Test func `an error reply is an error with its name, whatever its body`() throws {
    for (body, text): ((inout MessageWriter) -> Void, String) in [
      ({ $0.append("why") }, "why"), ({ _ in }, ""), ({ $0.append(1.0) }, ""),
    ] {
      var writer = MessageWriter()
      body(&writer)
      var header = MessageHeader(type: .error, serial: 9)
      header.replySerial = 3
      header.errorName = ErrorName(constant: "a.b.C")
      let message = try writer.makeMessage(header).message
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
    let message = try Message.demarshal(bytes)
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
    let empty = try Message.demarshal(Marshalling.message { _ in })
    #expect(empty.hasSignature(.empty))
    #expect(!empty.hasSignature(.string))
    #expect(empty.signature == "")
  }
}

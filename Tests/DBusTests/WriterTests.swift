// SPDX-License-Identifier: MIT
import Testing

@testable import DBus

struct MessageWriterTests {
  @Test func `what is written is read back, and libdbus takes it`() throws {
    let bytes = try Marshalling.message { writer in
      writer.append("mail")
      writer.append(true)
      writer.append(7 as UInt8)
      writer.append(-5 as Int64)
      writer.append(0.5)
      writer.appendDictionary { writer in
        writer.appendEntry("count", variant: 5 as Int64)
        writer.appendEntry("label", variant: "5")
        writer.appendEntry("sources") { writer in
          writer.appendVariant(of: Signature(constant: "a{sx}")) { writer in
            writer.appendDictionary(key: .string, value: Signature(.int64)) { writer in
              writer.appendEntry("work") { $0.append(2 as Int64) }
            }
          }
        }
      }
      writer.appendArray(of: Signature(constant: "(dd)")) { writer in
        for step in 0..<3 {
          writer.appendStructure { writer in
            writer.append(Double(step))
            writer.append(1.0)
          }
        }
      }
      writer.append(bytes: [1, 2, 3])
    }
    #expect(Marshalling.libdbusAccepts(bytes, signature: "sbyxda{sv}a(dd)ay"))
    let message = try Message.demarshal(bytes)
    #expect(message.signature == "sbyxda{sv}a(dd)ay")
    #expect(message.hasMember(MemberName(constant: "M")))
    let sources = Value.dictionary(
      key: .string,
      value: Signature(.int64),
      [DictionaryEntry(key: .string("work"), value: .int64(2))]
    )
    let expected: [Value] = [
      .string("mail"), .boolean(true), .byte(7), .int64(-5), .double(0.5),
      .namedValues([("count", .int64(5)), ("label", .string("5")), ("sources", sources)]),
      .array(
        Signature(constant: "(dd)"),
        (0..<3).map { .structure([.double(Double($0)), .double(1)]) }
      ),
      .array(Signature(.byte), [.byte(1), .byte(2), .byte(3)]),
    ]
    #expect(try message.values() == expected)
    let again = try Marshalling.message { writer in for value in expected { writer.append(value) } }
    #expect(again == bytes)
  }
}

/// What cannot be sent makes the writer fail, and nothing traps.
struct WriterFailureTests {
  typealias Body = @Sendable (inout MessageWriter) -> Void

  static let text = Signature.string
  static let big = Signature(.int64)

  static let invalid: [(String, Body)] = [
    ("a NUL in a text", { $0.append("a\0b") }),
    ("a NUL in a variant", { $0.appendVariant("\0") }),
    ("a NUL in a key", { $0.appendDictionary { $0.appendEntry("a\0", variant: true) } }),
    ("another element", { $0.appendArray(of: text) { $0.append(1 as Int32) } }),
    (
      "another element later",
      {
        $0.appendArray(of: text) {
          $0.append("a"); $0.append(true)
        }
      }
    ),
    ("an element of no type", { $0.appendArray(of: .empty) { _ in } }),
    ("an element of two types", { $0.appendArray(of: Signature(constant: "ss")) { _ in } }),
    ("a container as a key", { $0.appendDictionary(key: .variant, value: text) { _ in } }),
    ("a dictionary without values", { $0.appendDictionary(key: .string, value: .empty) { _ in } }),
    ("no members", { $0.appendStructure { _ in } }),
    ("an empty variant", { $0.appendVariant(of: text) { _ in } }),
    ("a variant of nothing", { $0.appendVariant(of: .empty) { _ in } }),
    (
      "a full variant",
      {
        $0.appendVariant(of: text) {
          $0.append("a"); $0.append("b")
        }
      }
    ),
    ("another value in a variant", { $0.appendVariant(of: text) { $0.append(true) } }),
    ("an entry at the top", { $0.appendEntry("a", variant: true) }),
    ("an entry in an array", { $0.appendArray(of: text) { $0.appendEntry("a", variant: true) } }),
    ("an entry without a value", { $0.appendDictionary { $0.appendEntry("a") { _ in } } }),
    (
      "an entry with two values",
      {
        $0.appendDictionary {
          $0.appendEntry("a") {
            $0.appendVariant(1.0); $0.appendVariant(1.0)
          }
        }
      }
    ),
    (
      "another key",
      { $0.appendDictionary(key: .int32, value: text) { $0.appendEntry("a") { _ in } } }
    ),
    (
      "half a structure",
      { $0.appendArray(of: Signature(constant: "(ss)")) { $0.appendStructure { $0.append("a") } } }
    ),
    (
      "another array in an array",
      { $0.appendArray(of: Signature(constant: "as")) { $0.appendArray(of: big) { _ in } } }
    ),
    (
      "a value that is not what it says",
      { $0.append(Value.array(text, [.int32(1)])) }
    ),
    ("a value without a signature", { $0.appendVariant(Value.structure([])) }),
    (
      "encoded entries at the top",
      { $0.append(MessageWriter.encodeEntries { $0.appendEntry("a", variant: 1.0) }) }
    ),
    (
      "entries that could not be encoded",
      { $0.appendDictionary { $0.append(MessageWriter.encodeEntries { $0.append("a") }) } }
    ),
    ("another writer", { $0.appendArray(of: text) { $0 = MessageWriter() } }),
    ("another writer in a variant", { $0.appendVariant(of: text) { $0 = MessageWriter() } }),
    ("another writer in a structure", { $0.appendStructure { $0 = MessageWriter() } }),
  ]

  @Test(arguments: invalid.map { $0.0 })
  func `what is not a value is an error and no trap`(_ name: String) throws {
    let body = try #require(Self.invalid.first { $0.0 == name }).1
    var writer = MessageWriter()
    body(&writer)
    writer.finish()
    #expect(writer.failure?.name == .invalidArguments)
    let message = writer.failure?.message
    // A failed writer takes anything and stays failed.
    writer.append("more")
    writer.appendDictionary { $0.appendEntry("a", variant: 1.0) }
    writer.append(bytes: [1])
    #expect(writer.failure?.message == message)
    #expect(writer.signature == .empty)
    writer.reset()
    writer.append("again")
    #expect(writer.failure == nil)
    #expect(writer.signature == .string)
  }

  private static func nested(
    _ depth: Int,
    _ type: @escaping (Int) -> Signature,
    in writer: inout MessageWriter
  ) {
    guard depth > 0 else { return writer.append("x") }
    writer.appendVariant(of: type(depth - 1)) { nested(depth - 1, type, in: &$0) }
  }

  @Test func `variants are nested 64 deep and no deeper, as libdbus has it`() throws {
    let bytes = try Marshalling.message { writer in
      Self.nested(64, { $0 == 0 ? .string : .variant }, in: &writer)
    }
    #expect(Marshalling.libdbusAccepts(bytes))
    #expect(try Message.demarshal(bytes).values().count == 1)
    let error = #expect(throws: BusError.self) {
      try Marshalling.message { writer in
        Self.nested(65, { $0 == 0 ? .string : .variant }, in: &writer)
      }
    }
    #expect(error?.name == .limitsExceeded)
  }

  static func structures(_ depth: Int, in writer: inout MessageWriter) {
    guard depth > 0 else { return writer.append("x") }
    writer.appendStructure { structures(depth - 1, in: &$0) }
  }

  @Test(arguments: [32, 33, 65, 1_000])
  func `structures are nested 32 deep and no deeper`(_ depth: Int) throws {
    let bytes = try? Marshalling.message { Self.structures(depth, in: &$0) }
    #expect((bytes != nil) == (depth <= 32))
    if let bytes { #expect(Marshalling.libdbusAccepts(bytes)) }
    var value = Value.string("x")
    for _ in 0..<depth { value = .structure([value]) }
    #expect((try? Marshalling.message { $0.append(value) }) == bytes)
    let variant = try? Marshalling.message { $0.appendVariant(value) }
    #expect((variant != nil) == (depth <= 32))
  }

  @Test(arguments: [255, 256, 5_000])
  func `a signature has 255 bytes and no more`(_ count: Int) throws {
    let bytes = try? Marshalling.message { writer in for _ in 0..<count { writer.append(true) } }
    #expect((bytes != nil) == (count <= 255))
    if let bytes { #expect(Marshalling.libdbusAccepts(bytes)) }
  }

  @Test func `a body of more than the limit is an error, and its memory is bounded`() {
    let large = String(repeating: "x", count: MessageWriter.maximumBodyLength)
    let part = String(repeating: "x", count: 1 << 20)
    let bodies: [Body] = [
      { $0.append(large) },
      { $0.appendDictionary { $0.appendEntry(large, variant: true) } },
      { writer in
        writer.appendArray(of: .string) { writer in
          for _ in 0..<64 { writer.append(part) }
        }
      },
    ]
    for body in bodies {
      var writer = MessageWriter()
      body(&writer)
      writer.finish()
      #expect(writer.failure?.name == .limitsExceeded)
      #expect(writer.bodyLength <= MessageWriter.maximumBodyLength)
    }
  }

  @Test func `a body of just the limit is taken`() throws {
    let text = String(repeating: "x", count: MessageWriter.maximumBodyLength - 32)
    let bytes = try Marshalling.message { $0.append(text) }
    #expect(Marshalling.libdbusAccepts(bytes))
    #expect(bytes.count <= 32 << 20)
  }

  @Test func `entries encoded once fit at any place and count towards the depth`() throws {
    let entries = MessageWriter.encodeEntries { writer in
      writer.appendEntry("name", variant: "bounce")
      writer.appendEntry("keyframes") { writer in
        writer.appendVariant(of: Signature(constant: "a(dd)")) { writer in
          writer.appendArray(of: Signature(constant: "(dd)")) { writer in
            writer.appendStructure {
              $0.append(0.0); $0.append(1.0)
            }
          }
        }
      }
    }
    #expect(entries.failure == nil)
    for prefix in ["", "a", "abcd", "abcdefg"] {
      let bytes = try Marshalling.message { writer in
        writer.append(prefix)
        writer.appendDictionary { writer in
          writer.appendEntry("event", variant: prefix)
          writer.append(entries)
          writer.append(MessageWriter.encodeEntries { _ in })
          writer.append(entries)
        }
      }
      #expect(Marshalling.libdbusAccepts(bytes, signature: "sa{sv}"))
      let values = try Message.demarshal(bytes).values()
      guard case .dictionary(_, _, let read) = values[1] else { throw BusError.failed("\(values)") }
      #expect(
        read.map { $0.key }
          == ["event", "name", "keyframes", "name", "keyframes"].map(Value.string)
      )
    }
    var deep = MessageWriter()
    func nest(_ depth: Int, _ writer: inout MessageWriter) {
      guard depth > 0 else { return writer.append(entries) }
      writer.appendEntry("a") { writer in
        writer.appendVariant(of: .namedValues) { writer in
          writer.appendDictionary { nest(depth - 1, &$0) }
        }
      }
    }
    // One array, 20 times an entry, a variant and an array, and four more make 65.
    deep.appendDictionary { nest(20, &$0) }
    #expect(deep.failure?.name == .limitsExceeded)
    let bytes = try? Marshalling.message { $0.appendDictionary { nest(19, &$0) } }
    #expect(bytes.map { Marshalling.libdbusAccepts($0) } == true)
  }
}

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
    let message = try Message(bytes: bytes)
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

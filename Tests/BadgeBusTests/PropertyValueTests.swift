// SPDX-License-Identifier: MIT
import BadgeBus
import BadgeCore
import DBus
import Testing

@Suite struct PropertyValueTests {
  @Test func valuesOfEveryTypeBecomeTheDomains() throws {
    let values: [(Value, PropertyValue)] = [
      (.boolean(true), .boolean(true)), (.byte(255), .integer(255)), (.int16(-1), .integer(-1)),
      (.uint16(1), .integer(1)), (.int32(-1), .integer(-1)), (.uint32(1), .integer(1)),
      (.int64(.min), .integer(.min)), (.uint64(5), .integer(5)), (.uint64(.max), .unsigned(.max)),
      (.double(0.5), .double(0.5)), (.string("x"), .string("x")),
      (.variant(.variant(.int32(1))), .integer(1)),
      (.objectPath(.root), .unsupported("o")), (.signature(.string), .unsupported("g")),
      (.array(.string, []), .unsupported("as")), (.structure([.byte(1)]), .unsupported("(y)")),
      (.namedValues([("a", .byte(1))]), .sources([SourceEntry(name: "a", value: .integer(1))])),
      (
        .dictionary(key: .int32, value: Signature(.byte), []),
        .unsupported("a{iy}")
      ),
    ]
    for (value, expected) in values { #expect(PropertyValue(value) == expected) }
  }

  @Test func whatTheDomainWritesIsReadAgain() {
    let sources = PropertyValue.sources([
      SourceEntry(name: "", value: .integer(-1)), SourceEntry(name: "work", value: .integer(3)),
    ])
    let values: [PropertyValue] = [
      .boolean(false), .integer(.min), .unsigned(.max), .double(0.25), .string("é"), sources,
    ]
    for value in values { #expect(PropertyValue(value.busValue) == value) }
    #expect(sources.busValue.signature?.rawValue == "a{sx}")
  }
}

// SPDX-License-Identifier: MIT
import BadgeCore
import DBus
import Testing

@testable import BadgeService

@Suite struct ErrorMappingTests {
  @Test func eachRefusalHasItsNameOnTheBus() throws {
    let id = try BadgeID("mail")
    let refusals: [(BadgeError, String)] = [
      (.noSuchBadge(id), "org.badged.Badges1.Error.NoSuchBadge"),
      (.invalidID("", reason: "is empty"), "org.badged.Badges1.Error.InvalidId"),
      (
        .invalidValue(key: "max", value: .integer(-1), expected: "0 or above"),
        "org.badged.Badges1.Error.InvalidValue"
      ),
      (.invalidKey("colour", reason: "is unknown"), "org.badged.Badges1.Error.InvalidValue"),
      (.notDismissable(id), "org.badged.Badges1.Error.NotDismissable"),
      (.limitReached("64"), "org.freedesktop.DBus.Error.LimitsExceeded"),
    ]
    for (refusal, name) in refusals {
      let error = BusError(refusal)
      #expect(error.name.rawValue == name)
      #expect(error.message == refusal.message)
      #expect(name.hasSuffix("." + refusal.name))
    }
  }

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
}

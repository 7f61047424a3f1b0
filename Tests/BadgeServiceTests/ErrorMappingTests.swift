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
}

// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("An error")
struct BadgeErrorTests {
  @Test(
    "has a name on the bus and a message that names the value and what would be right",
    arguments: [
      (.noSuchBadge("mail"), "NoSuchBadge", "no such badge: 'mail'"),
      (
        .invalidID("a/\nb", reason: "holds a '/'"), "InvalidId",
        "id: 'a/\\u{a}b' holds a '/'; an id is 1 to 255 bytes without '/', control characters or "
          + "white space at an end"
      ),
      (
        .invalidValue(
          key: "max",
          value: .integer(-1),
          expected: BadgeKey.max.expected
        ), "InvalidValue",
        "max: -1 is not a whole number of 0 or above"
      ),
      (
        .invalidValue(
          key: "background",
          value: .string("blue"),
          expected: BadgeKey.background.expected
        ),
        "InvalidValue",
        "background: 'blue' is not a colour; write #RGB, #RRGGBB or #RRGGBBAA"
      ),
      (
        .invalidKey("colour", reason: "is not a key of a badge"), "InvalidValue",
        "'colour' is not a key of a badge"
      ),
      (
        .notDismissable("mail"), "NotDismissable",
        "not dismissable: 'mail'; its key 'dismissable' is false"
      ),
      (.limitReached("4096 badges"), "LimitsExceeded", "limit reached: 4096 badges"),
    ] as [(BadgeError, String, String)]
  )
  func hasMessage(error: BadgeError, name: String, message: String) {
    #expect(error.name == name)
    #expect(error.message == message)
  }
}

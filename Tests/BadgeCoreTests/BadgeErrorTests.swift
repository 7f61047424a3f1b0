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
        "max: '-1' is not a whole number from 0 to 9223372036854775807"
      ),
      (
        .invalidValue(key: "max", value: .string("7"), expected: BadgeKey.max.expected),
        "InvalidValue",
        "max: the text '7' is not a whole number from 0 to 9223372036854775807"
      ),
      (
        .invalidValue(key: "urgent", value: .string("true"), expected: BadgeKey.urgent.expected),
        "InvalidValue",
        "urgent: the text 'true' is not true or false"
      ),
      (
        .invalidValue(key: "icon", value: .integer(7), expected: BadgeKey.icon.expected),
        "InvalidValue",
        "icon: the number '7' is not a text of at most 128 bytes without control characters"
      ),
      (
        .invalidValue(key: "text", value: .boolean(true), expected: "a text"),
        "InvalidValue",
        "text: the boolean 'true' is not a text"
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
        .unknownKey("colour", among: [.background, .foreground]), "InvalidValue",
        "'colour' is not a key of a badge; known keys: background, foreground"
      ),
      (
        .readOnlyKey("label"), "InvalidValue",
        "'label' is read only; keys to write: kind, count, text, sources, hide-at-zero, max, urgent, "
          + "dismissable, progress, description, icon, ttl, while-pid, animate, animation-appear, "
          + "animation-change, animation-disappear, background, foreground, font, font-size, "
          + "padding, min-size, fit, anchor, grow, offset-x, offset-y, preset"
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

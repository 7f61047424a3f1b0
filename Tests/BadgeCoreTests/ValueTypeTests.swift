// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("An id")
struct BadgeIDTests {
  @Test(
    "is what remains when scheme and suffix are taken off until none is left",
    arguments: [
      ("mail", "mail"),
      ("My App", "My App"),
      ("org.mozilla.Thunderbird", "org.mozilla.Thunderbird"),
      ("org.mozilla.Thunderbird.desktop", "org.mozilla.Thunderbird"),
      ("application://org.mozilla.Thunderbird", "org.mozilla.Thunderbird"),
      ("application://org.mozilla.Thunderbird.desktop", "org.mozilla.Thunderbird"),
      ("application://application://x", "x"),
      ("x.desktop.desktop", "x"),
      ("application://x.desktop.desktop", "x"),
      ("desktop", "desktop"),
      ("x.Desktop", "x.Desktop"),
      ("Application:", "Application:"),
      ("é", "é"),
      ("a\u{A0}b", "a\u{A0}b"),
      ("Â€", "Â€"),
      ("ⲂⲀⲆ", "ⲂⲀⲆ"),
      ("e\u{301}", "e\u{301}"),
      (".desktopx", ".desktopx"),
    ]
  )
  func isBare(raw: String, expected: String) throws {
    let id = try BadgeID(raw)
    #expect(Array(id.rawValue.utf8) == Array(expected.utf8))
    #expect(id.description == id.rawValue)
  }

  @Test(
    "is refused with a reason",
    arguments: [
      ("", "is empty"),
      (".desktop", "is empty"),
      ("application://", "is empty"),
      ("application://.desktop", "is empty"),
      (String(repeating: "x", count: 256), "is longer than 255 bytes"),
      (String(repeating: "é", count: 128), "is longer than 255 bytes"),
      ("a/b", "holds a '/'"),
      ("application:///usr/x.desktop", "holds a '/'"),
      ("a\u{0}b", "holds a control character"),
      ("a\nb", "holds a control character"),
      ("a\u{7F}b", "holds a control character"),
      ("a\u{85}b", "holds a control character"),
      (" a", "has white space at an end"),
      ("a ", "has white space at an end"),
      ("a .desktop", "has white space at an end"),
      ("application:// a", "has white space at an end"),
      ("\u{A0}a", "has white space at an end"),
      ("a\u{3000}", "has white space at an end"),
      ("a\u{2028}", "has white space at an end"),
    ]
  )
  func isRefused(raw: String, reason: String) {
    #expect(
      failure { () throws(BadgeError) in try BadgeID(raw) } == .invalidID(raw, reason: reason)
    )
  }

  @Test("may be 255 bytes long, after scheme and suffix are taken off")
  func mayBeLong() throws {
    let long = String(repeating: "é", count: 127) + "x"
    #expect(try BadgeID("application://\(long).desktop").rawValue == long)
  }

  @Test("is another one when its bytes are, also where Unicode calls the texts equal")
  func comparesBytes() throws {
    let (composed, decomposed) = ("é" as BadgeID, "e\u{301}" as BadgeID)
    #expect(composed.rawValue == decomposed.rawValue)
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    let long = (BadgeID.nobody, try BadgeID(String(repeating: "é", count: 60)))
    #expect(long.0 != long.1)
    #expect(try BadgeID(String(repeating: "é", count: 60) + ".desktop") == long.1)
    let reordered = ("a\u{301}\u{323}" as BadgeID, "a\u{323}\u{301}" as BadgeID)
    #expect(reordered.0.rawValue == reordered.1.rawValue)
    #expect(reordered.0 != reordered.1)
  }

  @Test("hashes alike when it is equal, whatever its length")
  func hashesBytes() throws {
    for length in 1...40 {
      let text = String(repeating: "x", count: length)
      #expect(try BadgeID(text).hashValue == BadgeID(text + ".desktop").hashValue)
    }
    #expect(("ab" as BadgeID).hashValue != ("ba" as BadgeID).hashValue)
  }

  @Test("is ordered by its bytes")
  func isOrdered() {
    let ids: [BadgeID] = ["é", "b", "a", "ab", "Z"]
    #expect(ids.sorted().map(\.rawValue) == ["Z", "a", "ab", "b", "é"])
  }
}

@Suite("A count")
struct CountTests {
  private static let top = BadgeCount.maximum
  private static let bottom = BadgeCount.minimum

  @Test(
    "is read from its plain form",
    arguments: [
      ("0", BadgeCount.Reading.count(0)),
      ("7", .count(7)),
      ("10", .count(10)),
      ("9007199254740991", .count(9_007_199_254_740_991)),
      ("9007199254740992", .outOfBounds),
      ("9999999999999999", .outOfBounds),
      ("10000000000000000", .outOfBounds),
      ("99999999999999999999", .outOfBounds),
      ("-3", .text),
      ("-0", .text),
      ("+3", .text),
      ("007", .text),
      ("00", .text),
      ("3.0", .text),
      (" 3", .text),
      ("3 ", .text),
      ("", .text),
      ("-", .text),
      ("v2", .text),
      ("1e3", .text),
      ("٣", .text),
      ("3\u{301}", .text),
    ]
  )
  func isRead(text: String, reading: BadgeCount.Reading) {
    #expect(BadgeCount.read(text) == reading)
  }

  @Test(
    "is read with a sign where that is allowed",
    arguments: [
      ("-3", BadgeCount.Reading.count(-3)),
      ("-0", .count(0)),
      ("-9007199254740991", .count(-9_007_199_254_740_991)),
      ("-9007199254740992", .outOfBounds),
      ("--3", .text),
      ("-03", .text),
      ("-", .text),
      ("3", .count(3)),
    ]
  )
  func isReadWithSign(text: String, reading: BadgeCount.Reading) {
    #expect(BadgeCount.read(text, allowsSign: true) == reading)
  }

  @Test("is valid within ±(2^53 − 1)")
  func isValid() {
    #expect(BadgeCount.maximum == (1 << 53) - 1)
    #expect(BadgeCount.minimum == -BadgeCount.maximum)
    #expect(
      BadgeCount.isValid(Self.top) && BadgeCount.isValid(Self.bottom) && BadgeCount.isValid(0)
    )
    #expect(!BadgeCount.isValid(Self.top + 1) && !BadgeCount.isValid(Self.bottom - 1))
    #expect(!BadgeCount.isValid(.max) && !BadgeCount.isValid(.min))
  }

  @Test(
    "saturates when it is added to",
    arguments: [
      (0, 1, 1), (top - 1, 1, top), (top, 1, top), (top, .max, top), (0, .max, top),
      (bottom, 1, bottom + 1), (bottom, .max, top), (-3, 0, -3), (bottom, 0, bottom),
    ] as [(Int64, Int64, Int64)]
  )
  func isIncremented(number: Int64, amount: Int64, expected: Int64) {
    #expect(BadgeCount.incremented(number, by: amount) == expected)
  }

  @Test(
    "stops at zero when it is taken from, and stays as it is below",
    arguments: [
      (5, 2, 3), (5, 5, 0), (5, 6, 0), (5, .max, 0), (0, 1, 0), (-3, 1, -3), (bottom, .max, bottom),
      (top, 1, top - 1), (5, 0, 5),
    ] as [(Int64, Int64, Int64)]
  )
  func isDecremented(number: Int64, amount: Int64, expected: Int64) {
    #expect(BadgeCount.decremented(number, by: amount) == expected)
  }

  @Test("saturates from either side and either width")
  func isSaturated() {
    #expect(BadgeCount.saturated(Int64.max) == Self.top)
    #expect(BadgeCount.saturated(Int64.min) == Self.bottom)
    #expect(BadgeCount.saturated(Int64(7)) == 7)
    #expect(BadgeCount.saturated(Int128(Int64.max) * 2) == Self.top)
    #expect(BadgeCount.saturated(Int128(Int64.min) * 2) == Self.bottom)
    #expect(BadgeCount.saturated(Int128(-7)) == -7)
  }
}

@Suite("A colour")
struct ColorTests {
  @Test(
    "reads back in upper case, with as much opacity as was given",
    arguments: [
      ("#09f", "#0099FF"), ("#FFF", "#FFFFFF"), ("#09bb07", "#09BB07"), ("#0a0B0c", "#0A0B0C"),
      ("#00000000", "#00000000"), ("#123456ff", "#123456FF"), ("#AbCdEf80", "#ABCDEF80"),
    ]
  )
  func readsBack(text: String, expected: String) {
    #expect(BadgeColor(text)?.description == expected)
  }

  @Test(
    "is nothing else",
    arguments: [
      "", "#", "blue", "#12", "#1234", "#12345", "#1234567", "#123456789", "09f", "x09f", "#09g",
      "#0 9", "#-12", "#+12345", "#١٢٣", "#é1", "#123456\n", " #123456", "#12345６", "rgb(0,0,0)",
    ]
  )
  func isNothingElse(text: String) {
    #expect(BadgeColor(text) == nil)
  }

  @Test("differs with and without opacity")
  func keepsOpacity() {
    #expect(BadgeColor("#123456") != BadgeColor("#123456FF"))
    #expect(BadgeColor("#123456")?.alpha == nil)
    #expect(BadgeColor("#12345678") == BadgeColor(red: 0x12, green: 0x34, blue: 0x56, alpha: 0x78))
  }
}

@Suite("A value of a key")
struct PropertyValueTests {
  private static let values: [PropertyValue] = [
    .boolean(true), .integer(1), .unsigned(1), .double(1), .string("1"), .string("é"),
    .string("e\u{301}"), .unsupported("as"), .unsupported("é"), .unsupported("e\u{301}"),
    .counts(["a": 1]), .counts(["a": 2]), .counts(["b": 1]), .counts(["é": 1]),
    .counts(["e\u{301}": 1]), .sources([]),
  ]

  @Test("equals itself alone, by type and by bytes")
  func equalsItself() {
    for (index, value) in Self.values.enumerated() {
      for (other, otherValue) in Self.values.enumerated() {
        #expect((value == otherValue) == (index == other))
      }
    }
    #expect(Set(Self.values).count == Self.values.count)
  }

  @Test(
    "is shown on one line, short, and quoted where it is a text",
    arguments: [
      (.boolean(true), "true"),
      (.integer(-1), "-1"),
      (.unsigned(.max), "18446744073709551615"),
      (.double(.nan), "nan"),
      (.double(0.5), "0.5"),
      (.string("blue"), "'blue'"),
      (.string("a\nb\u{0}\u{85}\u{2028}\u{2029}"), "'a\\u{a}b\\u{0}\\u{85}\\u{2028}\\u{2029}'"),
      (.unsupported("aas"), "a value of type 'aas'"),
      (.counts([:]), "{}"),
      (.counts(["a": 1]), "{'a': 1}"),
      (.counts(["a": 1, "b": 2, "c": 3]), "{'a': 1, 'b': 2, 'c': 3}"),
      (.counts(["a": 1, "b": 2, "c": 3, "d": 4]), "{'a': 1, 'b': 2, 'c': 3, …}"),
      (.sources([SourceEntry(name: "a", value: .string("x"))]), "{'a': 'x'}"),
    ] as [(PropertyValue, String)]
  )
  func isShown(value: PropertyValue, text: String) {
    #expect(value.description == text)
  }

  @Test("is cut after 64 characters")
  func isCut() {
    let long = String(repeating: "x", count: 64)
    #expect(PropertyValue.string(long).description == "'\(long)'")
    #expect(PropertyValue.string(long + "y").description == "'\(long)…'")
    #expect(PropertyValue.string(String(repeating: "\n", count: 1_000)).description.count < 500)
  }
}

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

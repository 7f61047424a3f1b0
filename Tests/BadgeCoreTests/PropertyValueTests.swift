// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

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

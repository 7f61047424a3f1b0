// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCommand

@Suite struct JSONTests {
  @Test(
    "A text is written so that neither JSON, a line reader nor a terminal is misled",
    arguments: [
      ("plain", #""plain""#), ("", #""""#), ("a\"b", #""a\"b""#), ("a\nb\tc", #""a\nb\tc""#),
      ("\u{1B}[31m", #""\u001b[31m""#), ("\u{7F}\u{85}", #""\u007f\u0085""#),
      ("\u{2028}", #""\u2028""#), ("ä👍", #""ä👍""#), ("\0", #""\u0000""#),
      (#"a\xyz"#, #""a\u005cxyz""#),
    ]
  )
  func quotesText(text: String, expected: String) {
    var json = JSONText()
    json.append(text)
    #expect(json.text == expected)
  }

  @Test("Objects and arrays get their commas and keep their order")
  func composes() {
    var json = JSONText()
    json.appendObject { json in
      json.member("b", Int64(-1))
      json.key("a")
      json.appendArray { json in
        json.append(true)
        json.appendNull()
        json.appendObject { _ in }
        json.append(0.5)
      }
      json.member("c", 12.0)
      json.member("d", UInt64.max)
    }
    #expect(json.text == #"{"b":-1,"a":[true,null,{},0.5],"c":12,"d":18446744073709551615}"#)
  }

  @Test("A number that JSON cannot hold becomes null")
  func writesNonFiniteNumbers() {
    for number in [Double.nan, .infinity, -.infinity] {
      var json = JSONText()
      json.append(number)
      #expect(json.text == "null")
    }
  }

  @Test(
    "A document is read as RFC 8259 has it",
    arguments: [
      ("null", JSONValue.null), (" true ", .boolean(true)), ("0", .integer(0)),
      ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)),
      ("9223372036854775808", .number(9223372036854775808, text: "9223372036854775808")),
      ("1.5e3", .number(1500, text: "1.5e3")),
      ("1E-2", .number(0.01, text: "1E-2")), ("[]", .array([])), ("{}", .object([])),
      (#""a\u00e4\ud83d\udc4d\n\/""#, .string("aä👍\n/")),
      (
        #"{"b":[1,{"a":"x"}],"a":false}"#,
        .object([
          .init(
            name: "b",
            value: .array([.integer(1), .object([.init(name: "a", value: .string("x"))])])
          ),
          .init(name: "a", value: .boolean(false)),
        ])
      ),
    ]
  )
  func reads(text: String, expected: JSONValue) throws {
    #expect(try JSONParser.parse(text) == expected)
  }

  @Test(
    "What is not JSON is refused, with its place",
    arguments: [
      ("", 1, 1), ("nul", 1, 1), ("truely", 1, 5), ("01", 1, 2), ("1.", 1, 3), ("-", 1, 2),
      ("1e", 1, 3), ("+1", 1, 1), (".5", 1, 1), ("[1,]", 1, 4), ("[1 2]", 1, 4), ("[1", 1, 3),
      ("{\"a\"}", 1, 5), ("{\"a\":1,}", 1, 8), ("{a:1}", 1, 2), ("{\"a\":1,\n\"a\":2}", 2, 1),
      ("\"a", 1, 3), ("\"\t\"", 1, 2), ("\"\\x41\"", 1, 3), ("\"\\u12G4\"", 1, 6),
      ("\"\\ud800\"", 1, 7), ("\"\\udc00\"", 1, 7), ("1 2", 1, 3), ("1e999", 1, 6),
      ("[\n 1,\n ä]", 3, 2), ("// x", 1, 1), ("'a'", 1, 1),
    ]
  )
  func refuses(text: String, line: Int, column: Int) {
    let error = #expect(throws: JSONError.self) { try JSONParser.parse(text) }
    #expect(error?.line == line)
    #expect(error?.column == column)
  }

  @Test("Depth is bounded, whatever the document")
  func boundsDepth() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONError.self) { try JSONParser.parse(deep) }
    let most = JSONParser.maximumDepth
    let text = String(repeating: "[", count: most) + String(repeating: "]", count: most)
    #expect(throws: Never.self) { try JSONParser.parse(text) }
  }

  @Test("What is written is read back as it was")
  func roundTrips() throws {
    let text = String(String.UnicodeScalarView((0..<0x300).compactMap(Unicode.Scalar.init)))
    var json = JSONText()
    json.append(text)
    #expect(try JSONParser.parse(json.text) == .string(text))
  }
}

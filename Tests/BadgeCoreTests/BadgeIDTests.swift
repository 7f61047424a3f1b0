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

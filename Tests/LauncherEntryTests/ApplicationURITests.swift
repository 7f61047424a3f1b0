// SPDX-License-Identifier: MIT
import LauncherEntry
import Testing

@Suite("The app an Update speaks of")
struct ApplicationURITests {
  @Test(
    "is read in every form that programs write",
    arguments: [
      ("application://foo.desktop", ["foo"]),
      ("application://foo", ["foo"]),
      ("foo.desktop", ["foo"]),
      ("foo", ["foo"]),
      ("APPLICATION://Foo.DESKTOP", ["Foo"]),
      ("application://application://foo.desktop.desktop", ["foo"]),
      ("application://org.kde.dolphin", ["org.kde.dolphin"]),
      ("org.kde.ruqola.desktop", ["org.kde.ruqola"]),
      ("application://discord_discord", ["discord_discord"]),
      ("application:///usr/share/applications/foo.desktop", ["foo"]),
      ("/usr/share/applications/kde4/foo.desktop", ["kde4-foo", "foo"]),
      ("file:///snap/foo/current/meta/gui/bar.desktop", ["bar"]),
      ("application://kde4/foo.desktop", ["kde4-foo", "foo"]),
      ("application://My%20App.desktop", ["My App", "My%20App"]),
      ("application%3A%2F%2Ffoo.desktop", ["foo", "application%3A%2F%2Ffoo"]),
      ("application://100%.desktop", ["100%"]),
      ("application://100%zz", ["100%zz"]),
      ("application://caf%C3%A9", ["café", "caf%C3%A9"]),
      ("application://caf%E9", ["caf%E9"]),
      ("application:///usr/share/applications/%6Dail.desktop", ["mail", "%6Dail"]),
      ("application://a%2Fb", ["a-b", "b", "a%2Fb"]),
      ("application://foo%00", ["foo%00"]),
      ("application://a/\u{301}b", ["a-\u{301}b", "\u{301}b"]),
    ] as [(String, [String])]
  )
  func forms(text: String, ids: [String]) {
    let candidates = ApplicationURI(text)?.candidates
    #expect(candidates?.prefix(ids.count).elementsEqual(ids) == true, "\(candidates ?? [])")
  }

  @Test(
    "is nothing where the text names none",
    arguments: [
      "", "application://", ".desktop", "application://.desktop", "/", "application:///",
      "foo\u{7}", "a\nb", " foo", "application://foo ", "foo\u{2003}", "\u{85}x",
      String(repeating: "x", count: 256), "application://" + String(repeating: "é", count: 128),
      String(repeating: "/", count: 5000),
    ]
  )
  func invalid(text: String) {
    #expect(ApplicationURI(text) == nil)
  }

  @Test("may be as long as an id can be")
  func longest() {
    let id = String(repeating: "x", count: ApplicationURI.maximumIDLength)
    #expect(ApplicationURI("application://\(id).desktop")?.fallback == id)
  }

  @Test("may be written at such length, and no longer")
  func longestText() {
    let slashes = String(repeating: "/", count: LauncherLimits.uriBytes - "mail.desktop".utf8.count)
    #expect(ApplicationURI(slashes + "mail.desktop")?.fallback == "mail")
    #expect(ApplicationURI(slashes + "/mail.desktop") == nil)
  }

  @Test("is called by the likeliest of its names when nothing is installed")
  func fallback() {
    #expect(ApplicationURI("/usr/share/applications/kde4/foo.desktop")?.fallback == "kde4-foo")
  }

  @Test("yields nothing but ids, whatever the text", arguments: 1...8)
  func anything(seed: UInt64) throws {
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let pieces = [
      "application://", "://", "/", "//", ".desktop", ".DeskTop", "%", "%2F", "%2f", "%E9", "%00",
      "%C3%A9", "applications", "é", "e\u{301}", "\u{301}", "👩‍👩‍👧", " ", "\u{7f}", "a", "Z", "_", "-",
      ".", ":", String(repeating: "x", count: 90),
    ]
    for _ in 0..<1_000 {
      let text = (0..<next(9)).map { _ in pieces[next(pieces.count)] }.joined()
      for candidate in ApplicationURI(text)?.candidates ?? [] {
        #expect((1...ApplicationURI.maximumIDLength).contains(candidate.utf8.count), "\(text)")
        #expect(!candidate.utf8.contains(UInt8(ascii: "/")), "\(text)")
        #expect(!candidate.lowercased().hasSuffix(".desktop"), "\(text)")
      }
    }
  }
}

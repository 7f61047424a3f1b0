// SPDX-License-Identifier: MIT
import BadgeCore
@testable import LauncherEntry
import Testing

@Suite("What an app announced")
struct AppAnnouncementTests {
  @Test(
    "shows what follows from it",
    arguments: [
      // announced: count, count-visible, progress, progress-visible, urgent → shown
      (5, nil, nil, nil, nil, 5, true, nil, false),
      (5, false, nil, nil, nil, 5, false, nil, false),
      (nil, false, nil, nil, nil, 0, false, nil, false),
      (nil, true, nil, nil, nil, 0, true, nil, false),
      (-3, true, nil, nil, true, -3, true, nil, true),
      (1, true, 0.5, nil, nil, 1, true, 0.5, false),
      (1, true, 0.5, true, nil, 1, true, 0.5, false),
      (1, true, 0.5, false, false, 1, true, nil, false),
      (1, true, nil, true, false, 1, true, nil, false),
    ] as [(Int64?, Bool?, Double?, Bool?, Bool?, Int64, Bool, Double?, Bool)]
  )
  func announcement(
    row: (Int64?, Bool?, Double?, Bool?, Bool?, Int64, Bool, Double?, Bool)
  ) {
    var announced = AppAnnouncement()
    (announced.count, announced.isCountVisible) = (row.0, row.1)
    if let progress = row.2 { announced.setProgress(progress) }
    (announced.isProgressVisible, announced.isUrgent) = (row.3, row.4)
    #expect(announced.shownCount == row.5)
    #expect(announced.isCountShown == row.6)
    #expect(announced.shownProgress == row.7)
    #expect(announced.wantsAttention == row.8)
  }

  @Test("is merged key by key")
  func merge() {
    var announced = AppAnnouncement()
    announced.count = 3
    announced.isUrgent = true
    var later = AppAnnouncement()
    later.isCountVisible = false
    later.isUrgent = false
    announced.merge(later)
    #expect(announced.count == 3)
    #expect(announced.isCountVisible == false)
    #expect(announced.isUrgent == false)
    #expect(announced.progress == nil)
  }

  @Test(
    "has a progress from 0 to 1, and none where that is no number",
    arguments: [
      (0.25, 0.25), (0, 0), (1, 1), (-4, 0), (7, 1), (.nan, nil), (.infinity, nil),
      (-.infinity, nil),
    ] as [(Double, Double?)]
  )
  func progress(value: Double, taken: Double?) {
    var announced = AppAnnouncement()
    announced.setProgress(value)
    #expect(announced.progress == taken)
  }
}

@Suite("The object path of an app")
struct LauncherEntryPathTests {
  @Test(
    "ends in the hash that libunity gives it",
    arguments: [
      ("foo", 401_509_213), ("telegramdesktop", 2_857_096_580),
    ] as [(String, UInt32)]
  )
  func hash(id: String, hash: UInt32) {
    let uri = LauncherEntryPath.uri(for: id)
    #expect(uri == "application://\(id).desktop")
    #expect(LauncherEntryPath.hash(of: uri) == hash)
    #expect(LauncherEntryPath.path(for: uri) == "/com/canonical/unity/launcherentry/\(hash)")
  }

  @Test("counts bytes above 127 as negative numbers, as C's char does")
  func signed() {
    let expected: UInt32 = (5381 * 33 - 61) * 33 - 87
    #expect(LauncherEntryPath.hash(of: "é") == expected)
  }
}

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

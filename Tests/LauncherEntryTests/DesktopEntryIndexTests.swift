// SPDX-License-Identifier: MIT
import LauncherEntry
import Testing

@Suite("The index of desktop files")
struct DesktopEntryIndexTests {
  static let installed = [
    "org.mozilla.Thunderbird", "discord_discord", "one_mail", "two_mail",
    "telegram-desktop_telegram",
    "Caps", "caps2", "CAPS2", "kde4-foo", "org.example.New", "Café",
  ]

  static var index: DesktopEntryIndex {
    var index = DesktopEntryIndex()
    for id in installed { index.insert(id) }
    index.insert(formerID: "old-name", of: "org.example.New")
    index.insert(formerID: "shared", of: "org.example.New")
    index.insert(formerID: "shared", of: "Caps")
    return index
  }

  @Test(
    "finds the file's own id",
    arguments: [
      ("application://org.mozilla.Thunderbird.desktop", "org.mozilla.Thunderbird"),
      ("application://org.mozilla.thunderbird", "org.mozilla.Thunderbird"),
      ("ORG.MOZILLA.THUNDERBIRD.DESKTOP", "org.mozilla.Thunderbird"),
      ("application://discord.desktop", "discord_discord"),
      ("application://Discord", "discord_discord"),
      ("application:///snap/discord/1/meta/gui/discord.desktop", "discord_discord"),
      ("application://telegram", "telegram-desktop_telegram"),
      ("application://CAPS2", "CAPS2"),
      ("application://caps2", "caps2"),
      ("/usr/share/applications/kde4/foo.desktop", "kde4-foo"),
      ("application://Old-Name", "org.example.New"),
      ("application://cafe\u{301}", "Café"),
    ]
  )
  func resolves(text: String, id: String) throws {
    let uri = try #require(ApplicationURI(text))
    #expect(Self.index.resolve(uri) == id)
  }

  @Test(
    "finds nothing where nothing or more than one fits",
    arguments: ["unknown", "mail", "Caps2", "shared", "_mail", "thunderbird"]
  )
  func ambiguous(text: String) throws {
    let uri = try #require(ApplicationURI(text))
    #expect(Self.index.resolve(uri) == nil)
  }

  @Test("holds an id once, and only under its own spelling")
  func contains() {
    var index = Self.index
    let count = index.count
    index.insert("Caps")
    #expect(index.count == count)
    #expect(index.contains("Caps"))
    #expect(!index.contains("caps"))
    #expect(!index.contains("Cafe\u{301}"))
  }
}

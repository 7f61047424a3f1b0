// SPDX-License-Identifier: MIT
import EventLoop
import Glibc
@testable import LauncherEntry
import TestSupport
import Testing

@Suite("The folders of desktop files")
struct DesktopEntryDirectoriesTests {
  static let added = [
    "/var/lib/flatpak/exports/share/applications", "/var/lib/snapd/desktop/applications",
  ]

  @Test(
    "are those of the environment, the person's own first",
    arguments: [
      (
        ["HOME": "/h"],
        [
          "/h/.local/share/applications", "/usr/local/share/applications",
          "/usr/share/applications", "/h/.local/share/flatpak/exports/share/applications",
        ]
      ),
      (
        ["HOME": "/h", "XDG_DATA_HOME": "/d/", "XDG_DATA_DIRS": "/a:/b//c/:/a"],
        [
          "/d/applications", "/a/applications", "/b/c/applications",
          "/d/flatpak/exports/share/applications",
        ]
      ),
      (
        ["HOME": "/h", "XDG_DATA_HOME": "", "XDG_DATA_DIRS": "relative::/a"],
        [
          "/h/.local/share/applications", "/a/applications",
          "/h/.local/share/flatpak/exports/share/applications",
        ]
      ),
      (["XDG_DATA_DIRS": ""], ["/usr/local/share/applications", "/usr/share/applications"]),
      (
        ["XDG_DATA_DIRS": "/var/lib/snapd/desktop:/usr/share"],
        ["/var/lib/snapd/desktop/applications", "/usr/share/applications"]
      ),
    ] as [([String: String], [String])]
  )
  func paths(environment: [String: String], expected: [String]) {
    let paths = DesktopEntryDirectories.paths { environment[$0] }
    #expect(paths == expected + Self.added.filter { !expected.contains($0) })
  }

  @Test("are not without bound")
  func bound() {
    let shared = (0..<1000).map { "/d\($0)" }.joined(separator: ":")
    let paths = DesktopEntryDirectories.paths { $0 == "XDG_DATA_DIRS" ? shared : nil }
    #expect(paths.count == DesktopEntryDirectories.maximum)
  }
}

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

@Suite("The installed apps")
struct InstalledApplicationsTests {
  private let folder: TemporaryDirectory
  private let loop: EventLoop
  private let apps: InstalledApplications

  init() throws {
    folder = try TemporaryDirectory()
    loop = try EventLoop()
    apps = InstalledApplications(
      on: loop,
      directories: ["own", "shared", "later/share", "flatpak/exports/share"].map { [folder] in
        "\(folder.path)/\($0)/applications"
      }
    )
  }

  private func id(_ text: String) throws -> String {
    apps.id(for: try #require(ApplicationURI(text)))
  }

  @Test("are not looked for before somebody asks")
  func lazy() {
    #expect(!apps.isLoaded)
    #expect(apps.index.count == 0)
    #expect(apps.isLoaded)
  }

  @Test("are the desktop files of all folders and of those in them")
  func listed() throws {
    try folder.install("own/applications/mail.desktop")
    try folder.install("shared/applications/mail.desktop")
    try folder.install("shared/applications/kde4/chat.desktop")
    try folder.install("shared/applications/a/b/c/d/deep.desktop")
    try folder.install("shared/applications/a/b/c/d/e/deeper.desktop")
    try folder.install("shared/applications/notes.txt")
    try folder.install("shared/applications/.hidden.desktop")
    try folder.install("shared/applications/.desktop")
    try folder.makeDirectory("shared/applications/folder.desktop")
    try folder.install("elsewhere/linked.desktop")
    folder.link("own/applications/link.desktop", to: folder.path + "/elsewhere/linked.desktop")
    folder.link("own/applications/broken.desktop", to: folder.path + "/nowhere")
    folder.link("own/applications/loop", to: folder.path + "/own/applications")
    for id in ["mail", "kde4-chat", "a-b-c-d-deep", "link"] {
      #expect(apps.index.contains(id), "\(id)")
    }
    for id in [
      "notes", "notes.txt", "hidden", ".hidden", "", "folder", "broken", "a-b-c-d-e-deeper",
    ] {
      #expect(!apps.index.contains(id), "\(id)")
    }
    #expect(try id("application:///usr/share/applications/kde4/chat.desktop") == "kde4-chat")
    #expect(try id("unknown") == "unknown")
  }

  @Test("are followed as files come, are renamed and go")
  func followed() throws {
    try folder.install("own/applications/first.desktop")
    #expect(apps.index.contains("first"))
    var changes = 0
    apps.onChange = { changes += 1 }
    try folder.install("own/applications/second.desktop")
    #expect(try loop.run(until: { apps.index.contains("second") }))
    try folder.install("own/applications/third.desktop.part")
    folder.rename("own/applications/third.desktop.part", to: "own/applications/third.desktop")
    #expect(try loop.run(until: { apps.index.contains("third") }))
    folder.remove("own/applications/first.desktop")
    #expect(try loop.run(until: { !apps.index.contains("first") }))
    #expect(changes == 3)
  }

  @Test("are found in folders that appear later, go, and appear again")
  func laterFolders() throws {
    #expect(!apps.index.contains("late"))
    try folder.install("later/share/applications/late.desktop")
    #expect(try loop.run(until: { apps.index.contains("late") }))
    try folder.install("later/share/applications/sub/more.desktop")
    #expect(try loop.run(until: { apps.index.contains("sub-more") }))
    folder.rename("later/share/applications", to: "later/share/gone")
    #expect(try loop.run(until: { !apps.index.contains("late") }))
    try folder.install("later/share/applications/again.desktop")
    #expect(try loop.run(until: { apps.index.contains("again") }))
  }

  @Test("are not looked at again for files that are no desktop files")
  func quiet() throws {
    try folder.makeDirectory("own/applications")
    _ = apps.index
    var changes = 0
    apps.onChange = { changes += 1 }
    for number in 0..<100 {
      try folder.install("own/applications/cache\(number)")
      try folder.install("unrelated\(number)")
    }
    try folder.install("own/applications/last.desktop")
    #expect(try loop.run(until: { apps.index.contains("last") }))
    #expect(changes == 1)
  }

  @Test("cost nothing while nothing changes, in a folder that can't be read either")
  func idle() throws {
    folder.link("shared", to: "/proc/self/mem")
    try folder.install("own/applications", "not a folder")
    #expect(apps.index.count == 0)
    try loop.runOnce(timeout: .milliseconds(1))
    #expect(try !loop.runOnce(timeout: .milliseconds(300)))
  }

  @Test("are known by the names that Flatpak renamed them from")
  func renamed() throws {
    try folder.install(
      "flatpak/exports/share/applications/org.example.Chat.desktop",
      "[Desktop Entry]\nName=Chat\nX-Flatpak-RenamedFrom=chat.desktop;old-chat.desktop;\n"
    )
    try folder.install(
      "own/applications/org.example.Fake.desktop",
      "[Desktop Entry]\nX-Flatpak-RenamedFrom=bank.desktop;\n"
    )
    #expect(try id("application://Chat.desktop") == "org.example.Chat")
    #expect(try id("old-chat") == "org.example.Chat")
    #expect(try id("bank") == "bank")
  }

  @Test(
    "have former names only where a desktop file says so well",
    arguments: [
      ("", []), ("Name=x\n", []), ("X-Flatpak-RenamedFrom=\n", []),
      ("X-Flatpak-RenamedFrom=a.desktop", ["a"]),
      ("Name=x\nX-Flatpak-RenamedFrom=a.desktop;;b;\nName=y", ["a", "b"]),
      ("X-Flatpak-RenamedFrom=/;\u{1};c", ["c"]),
      (
        "X-Flatpak-RenamedFrom=" + String(repeating: "a;", count: 100),
        Array(repeating: "a", count: 16)
      ),
    ] as [(String, [String])]
  )
  func formerNames(text: String, names: [String]) {
    #expect(FlatpakFormerIDs.parse(Array(text.utf8)) == names)
  }

  @Test("are no more than can be held")
  func bounded() throws {
    for number in 0..<300 { try folder.makeDirectory("shared/applications/d\(number)") }
    for number in 0..<300 { try folder.install("shared/applications/d\(number)/x.desktop") }
    #expect(apps.index.count < DesktopEntryScan.maximumFolders)
    #expect(apps.index.count > 200)
  }

  @Test("are of no more files than can be looked at")
  func boundedFiles() throws {
    for number in 0..<LauncherLimits.desktopEntries + 10 {
      try folder.install("shared/applications/x\(number).desktop")
    }
    #expect(apps.index.count == LauncherLimits.desktopEntries)
  }
}

extension TemporaryDirectory {
  /// Writes a desktop file, or whatever `name` says, and makes the folders above it.
  func install(_ name: String, _ text: String = "[Desktop Entry]\n") throws {
    if let slash = name.lastIndex(of: "/") { try makeDirectory(String(name[..<slash])) }
    try write(text, to: name)
  }

  /// Removes a file.
  func remove(_ name: String) {
    _ = unsafe unlink(appending(name))
  }

  /// Gives a file or folder another name.
  func rename(_ name: String, to newName: String) {
    _ = unsafe Glibc.rename(appending(name), appending(newName))
  }

  /// Makes a symbolic link.
  func link(_ name: String, to target: String) {
    _ = unsafe symlink(target, appending(name))
  }
}

// SPDX-License-Identifier: MIT
import EventLoop
import Testing

@testable import LauncherEntry

@Suite("The installed apps")
struct InstalledApplicationsTests {
  private let folder = ScratchFolder()
  private let loop: EventLoop
  private let apps: InstalledApplications

  init() throws {
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

  /// Takes turns until the apps have changed so that `condition` holds.
  private func wait(until condition: () -> Bool) throws -> Bool {
    let deadline = Instant.now() + .seconds(10)
    while !condition() {
      guard Instant.now() < deadline else { return false }
      try loop.runOnce(timeout: .seconds(1))
    }
    return true
  }

  @Test("are not looked for before somebody asks")
  func lazy() {
    #expect(!apps.isLoaded)
    #expect(apps.index.count == 0)
    #expect(apps.isLoaded)
  }

  @Test("are the desktop files of all folders and of those in them")
  func listed() throws {
    folder.write("own/applications/mail.desktop")
    folder.write("shared/applications/mail.desktop")
    folder.write("shared/applications/kde4/chat.desktop")
    folder.write("shared/applications/a/b/c/d/deep.desktop")
    folder.write("shared/applications/a/b/c/d/e/deeper.desktop")
    folder.write("shared/applications/notes.txt")
    folder.write("shared/applications/.hidden.desktop")
    folder.write("shared/applications/.desktop")
    folder.makeFolder("shared/applications/folder.desktop")
    folder.write("elsewhere/linked.desktop")
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
    folder.write("own/applications/first.desktop")
    #expect(apps.index.contains("first"))
    var changes = 0
    apps.onChange = { changes += 1 }
    folder.write("own/applications/second.desktop")
    #expect(try wait { apps.index.contains("second") })
    folder.write("own/applications/third.desktop.part")
    folder.rename("own/applications/third.desktop.part", to: "own/applications/third.desktop")
    #expect(try wait { apps.index.contains("third") })
    folder.remove("own/applications/first.desktop")
    #expect(try wait { !apps.index.contains("first") })
    #expect(changes == 3)
  }

  @Test("are found in folders that appear later, go, and appear again")
  func laterFolders() throws {
    #expect(!apps.index.contains("late"))
    folder.write("later/share/applications/late.desktop")
    #expect(try wait { apps.index.contains("late") })
    folder.write("later/share/applications/sub/more.desktop")
    #expect(try wait { apps.index.contains("sub-more") })
    folder.rename("later/share/applications", to: "later/share/gone")
    #expect(try wait { !apps.index.contains("late") })
    folder.write("later/share/applications/again.desktop")
    #expect(try wait { apps.index.contains("again") })
  }

  @Test("are not looked at again for files that are no desktop files")
  func quiet() throws {
    folder.makeFolder("own/applications")
    _ = apps.index
    var changes = 0
    apps.onChange = { changes += 1 }
    for number in 0..<100 {
      folder.write("own/applications/cache\(number)")
      folder.write("unrelated\(number)")
    }
    folder.write("own/applications/last.desktop")
    #expect(try wait { apps.index.contains("last") })
    #expect(changes == 1)
  }

  @Test("cost nothing while nothing changes, in a folder that can't be read either")
  func idle() throws {
    folder.link("shared", to: "/proc/self/mem")
    folder.write("own/applications", "not a folder")
    #expect(apps.index.count == 0)
    try loop.runOnce(timeout: .milliseconds(1))
    #expect(try !loop.runOnce(timeout: .milliseconds(300)))
  }

  @Test("are known by the names that Flatpak renamed them from")
  func renamed() throws {
    folder.write(
      "flatpak/exports/share/applications/org.example.Chat.desktop",
      "[Desktop Entry]\nName=Chat\nX-Flatpak-RenamedFrom=chat.desktop;old-chat.desktop;\n"
    )
    folder.write(
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
    for number in 0..<300 { folder.makeFolder("shared/applications/d\(number)") }
    for number in 0..<300 { folder.write("shared/applications/d\(number)/x.desktop") }
    #expect(apps.index.count < DesktopEntryScan.maximumFolders)
    #expect(apps.index.count > 200)
  }
}

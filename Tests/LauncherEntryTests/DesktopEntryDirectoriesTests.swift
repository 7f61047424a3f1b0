// SPDX-License-Identifier: MIT
import LauncherEntry
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

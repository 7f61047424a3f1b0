// SPDX-License-Identifier: MIT
import LauncherEntry
import Testing

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

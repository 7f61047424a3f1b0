// SPDX-License-Identifier: MIT
import DBus
import TestSupport
import Testing

@Suite(
  "The real libunity",
  .privateBus,
  .enabled(
    if: LibunityApp.isAvailable,
    "libunity can't be used from Python here: install gir1.2-unity-7.0 and python3-gi"
  )
)
struct LibunityTests {
  private static let mail = "org.example.mail"

  @Test("is heard when badged was there before the app")
  func after() throws {
    let session = try LauncherSession()
    let app = try LibunityApp(on: session.bus)
    try app.set("count 4")
    try app.set("visible true")
    #expect(try session.settles { try session.shown(Self.mail) == 4 })
    try app.set("progress 0.25")
    try app.set("progress-visible true")
    try app.set("urgent true")
    #expect(try session.settles { try session.badge(Self.mail)?["urgent"] == .boolean(true) })
    #expect(try session.badge(Self.mail)?["progress"] == .double(0.25))
    try app.set("visible false")
    #expect(try session.settles { try session.shown(Self.mail) == nil })
    #expect(try session.badge(Self.mail)?["count"] == .int64(4))
    app.process.terminate()
    #expect(try session.settles { try session.badge(Self.mail) == nil })
  }

  @Test("tells everything when badged comes after the app, and again after a restart")
  func before() throws {
    let app = try LibunityApp(on: .current)
    try app.set("count 6")
    try app.set("visible true")
    let session = try LauncherSession()
    #expect(try session.settles { try session.shown(Self.mail) == 6 })
    try session.restartDaemon()
    #expect(try session.settles { try session.shown(Self.mail) == 6 })
    try app.set("count 7")
    #expect(try session.settles { try session.shown(Self.mail) == 7 })
  }
}

/// An app that announces its badge with libunity.
private final class LibunityApp {
  static let isAvailable =
    (try? SpawnedProcess.run(Project.path("Tests/Tools/libunity-app"), ["--check"]))?.status
    == .success

  let process: SpawnedProcess

  init(on bus: PrivateBus) throws {
    process = try bus.spawn(
      Project.path("Tests/Tools/libunity-app"),
      ["org.example.mail.desktop"],
      input: .pipe
    )
    try process.waitForLine(containing: "ready")
  }

  deinit {
    process.terminate()
  }

  func set(_ line: String) throws {
    process.write(line + "\n")
    try process.waitForLine(containing: "done")
  }
}

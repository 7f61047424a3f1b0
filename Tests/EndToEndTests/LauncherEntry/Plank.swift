// SPDX-License-Identifier: MIT
import TestSupport

/// The real Plank on a display of its own, with two icons: the first steel blue, the second sea green.
final class Plank {
  /// What `dock-shot` needs.
  static let programs = ["plank", "Xvfb", "xwd", "xdotool", "convert", "identify"]

  /// The programs among these that are not installed.
  static let missing = programs.filter { program in
    (try? SpawnedProcess.run(
      "sh",
      ["-c", "command -v \(program)"],
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"]
    ))?
    .status != .success
  }

  private let session: LauncherSession
  private let process: SpawnedProcess
  private var last: DockPicture?

  /// A dock in `session` with launchers for two apps.
  init(in session: LauncherSession, apps: [String]) throws {
    self.session = session
    var environment = session.bus.environment
    environment["DOCK_DATA"] = session.data
    process = try SpawnedProcess(
      Project.path("Tests/Tools/dock-shot"),
      [apps.joined(separator: ",")],
      environment: environment,
      input: .pipe
    )
    try process.waitForLine(containing: "ready", within: .seconds(60))
  }

  deinit {
    process.closeInput()
    _ = try? process.wait()
  }

  /// Ends the dock and starts it again.
  func restart() throws {
    process.write("restart\n")
    try process.waitForLine(containing: "ready", within: .seconds(60))
    last = nil
  }

  /// Photographs the dock until it shows what is wanted, and shows it again in the next picture.
  ///
  /// - Returns: the picture, or nil where that was not in time.
  func picture(where isWanted: (DockPicture) -> Bool) throws -> DockPicture? {
    var found: DockPicture?
    _ = try eventually(within: .seconds(30)) {
      let picture = try shoot()
      defer { last = picture }
      guard isWanted(picture), picture == last else { return false }
      found = picture
      return true
    }
    return found
  }

  private func shoot() throws -> DockPicture {
    let file = session.folder.appending("dock.png")
    process.write("shoot \(file)\n")
    try process.waitForLine(containing: "shot", within: .seconds(30))
    return try DockPicture(file, in: session.folder)
  }
}

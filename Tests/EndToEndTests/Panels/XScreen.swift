// SPDX-License-Identifier: MIT
import TestSupport

/// A screen of the X Window System without a window manager: the real Xvfb, whose memory is a file.
final class XScreen: Screen {
  let environment: [String: String]
  private let server: SpawnedProcess
  private let folder: TemporaryDirectory

  init(width: Int, height: Int) throws {
    folder = try TemporaryDirectory()
    server = try SpawnedProcess(
      "Xvfb",
      [
        "-displayfd", "1", "-fbdir", folder.path, "-screen", "0", "\(width)x\(height)x24",
        "-nolisten", "tcp", "-noreset",
      ],
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"]
    )
    guard let display = try server.readLine(within: .seconds(20)) else {
      throw TestFailure("Xvfb did not start: \(server.errorOutput)")
    }
    environment = ["DISPLAY": ":\(display)"]
  }

  deinit { server.terminate() }

  func picture() throws -> Picture {
    try Picture(windowDump: Picture.bytes(ofFile: folder.appending("Xvfb_screen0")))
  }
}

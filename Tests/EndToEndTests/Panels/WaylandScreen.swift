// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

/// A screen of Wayland: the real sway without hardware, photographed by grim.
final class WaylandScreen: Screen {
  let environment: [String: String]
  private let compositor: SpawnedProcess
  private let folder: TemporaryDirectory

  /// An account that owns nothing: sway refuses to run as root.
  private static let nobody: UInt32 = 65_534

  init(width: Int, height: Int) throws {
    folder = try TemporaryDirectory()
    let configuration = try folder.write(
      "output HEADLESS-1 resolution \(width)x\(height)\nxwayland disable\n",
      to: "sway",
      mode: 0o644
    )
    var command = ["sway", "--unsupported-gpu", "--config", configuration]
    if getuid() == 0 {
      guard unsafe chown(folder.path, Self.nobody, Self.nobody) == 0 else {
        throw TestFailure("chown \(folder.path): error \(errno)")
      }
      command =
        ["setpriv", "--reuid=\(Self.nobody)", "--regid=\(Self.nobody)", "--clear-groups"] + command
    }
    compositor = try SpawnedProcess(
      command[0],
      Array(command.dropFirst()),
      environment: [
        "HOME": folder.path, "LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin",
        "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
        "XDG_RUNTIME_DIR": folder.path,
      ]
    )
    let socket = folder.appending("wayland-1")
    let ready = eventually(within: .seconds(20)) { unsafe access(socket, F_OK) == 0 }
    guard ready else { throw TestFailure("sway did not start: \(compositor.errorOutput)") }
    environment = ["WAYLAND_DISPLAY": socket, "GDK_BACKEND": "wayland"]
  }

  deinit { compositor.terminate() }

  func picture() throws -> Picture {
    let file = folder.appending("screen.ppm")
    let shot = try SpawnedProcess.run(
      "grim",
      ["-t", "ppm", file],
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path,
        "WAYLAND_DISPLAY": environment["WAYLAND_DISPLAY"] ?? "",
      ]
    )
    guard shot.status == .success else { throw TestFailure("grim: \(shot.errorOutput)") }
    return try Picture(pixmap: Picture.bytes(ofFile: file))
  }
}

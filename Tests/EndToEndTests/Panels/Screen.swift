// SPDX-License-Identifier: MIT
import EventLoop
import Glibc
import TestSupport

/// A virtual screen that can be captured.
protocol Screen {
  /// The variables that programs need to find the screen.
  var environment: [String: String] { get }

  /// Captures the screen.
  func picture() throws -> Picture
}

extension Screen {
  /// Starts a program on this screen and `bus`, with the built programs on its path.
  func spawn(_ program: String, _ arguments: [String], on bus: PrivateBus) throws -> SpawnedProcess
  {
    var environment = bus.environment
    let programs = try productPath("badgectl").split(separator: "/").dropLast()
    environment["PATH"] =
      "/" + programs.joined(separator: "/") + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    // This bus has no accessibility service and no settings service.
    environment.merge(["GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1"]) { $1 }
    environment.merge(self.environment) { $1 }
    return try SpawnedProcess(program, arguments, environment: environment)
  }

  /// Captures the screen until it shows what is wanted and nothing moves.
  ///
  /// - Throws: ``TestFailure`` if the time is up.
  func settled(
    _ wish: String,
    within timeout: Duration = .seconds(60),
    where isWanted: (Picture) -> Bool
  ) throws -> Picture {
    var last: Picture?
    var since = Instant.now()
    var found: Picture?
    _ = try eventually(within: timeout) {
      let picture = try picture()
      if picture != last { since = .now() }
      last = picture
      // Longer than any pause between two frames of an animation.
      guard Instant.now() - since > .milliseconds(150), isWanted(picture) else { return false }
      found = picture
      return true
    }
    guard let found else { throw TestFailure("the screen never showed \(wish)") }
    return found
  }

  /// Repeats an action until a picture taken soon afterwards is wanted.
  ///
  /// This is for short animations, of which a busy machine may miss a frame.
  ///
  /// - Returns: The picture, or nil if the time is up.
  func glimpse(
    within timeout: Duration = .seconds(60),
    of part: Picture.Box,
    after act: () throws -> Void,
    where isWanted: (Picture) -> Bool
  ) throws -> Picture? {
    let deadline = Instant.now() + timeout
    while Instant.now() < deadline {
      try act()
      if let picture = try frames(of: part, for: .milliseconds(500)).first(where: isWanted) {
        return picture
      }
    }
    return nil
  }

  /// The distinct pictures shown during `time`, in order.
  func frames(of part: Picture.Box, for time: Duration) throws -> [Picture] {
    let deadline = Instant.now() + time
    var frames: [Picture] = []
    while Instant.now() < deadline {
      let picture = try picture().part(part)
      if picture != frames.last { frames.append(picture) }
    }
    return frames
  }
}

/// An X screen without a window manager: the real Xvfb, whose frame buffer is a file.
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
    guard let display = try server.readLine() else {
      throw TestFailure("Xvfb did not start: \(server.errorOutput)")
    }
    environment = ["DISPLAY": ":\(display)"]
  }

  deinit { server.terminate() }

  func picture() throws -> Picture {
    try Picture(windowDump: Picture.bytes(ofFile: folder.appending("Xvfb_screen0")))
  }
}

/// A Wayland screen: the real sway without hardware, captured by grim.
final class WaylandScreen: Screen {
  let environment: [String: String]
  private let compositor: SpawnedProcess
  private let folder: TemporaryDirectory

  /// The user `nobody`, since sway refuses to run as root.
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
    let ready = eventually { unsafe access(socket, F_OK) == 0 }
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

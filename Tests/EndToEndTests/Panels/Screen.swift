// SPDX-License-Identifier: MIT
import EventLoop
import TestSupport

/// A screen that nobody looks at, and that can be photographed.
protocol Screen {
  /// What programs need to find the screen, besides the variables of their bus.
  var environment: [String: String] { get }

  /// What the screen shows now.
  func picture() throws -> Picture
}

extension Screen {
  /// Starts a program on the screen and a bus, with the built programs on its path.
  func spawn(_ program: String, _ arguments: [String], on bus: PrivateBus) throws -> SpawnedProcess
  {
    var environment = bus.environment
    let programs = try productPath("badgectl").split(separator: "/").dropLast()
    environment["PATH"] =
      "/" + programs.joined(separator: "/") + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    // No help for disabled persons and no stored settings: neither is on this bus.
    environment.merge(["GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1"]) { $1 }
    environment.merge(self.environment) { $1 }
    return try SpawnedProcess(program, arguments, environment: environment)
  }

  /// Photographs the screen until it shows what is wanted, and nothing moves.
  ///
  /// - Throws: ``TestFailure`` where that does not come in time.
  func settled(
    _ wish: String,
    within timeout: Duration = .seconds(30),
    where isWanted: (Picture) -> Bool
  ) throws -> Picture {
    var last: Picture?
    var since = Instant.now()
    var found: Picture?
    _ = try eventually(within: timeout) {
      let picture = try picture()
      if picture != last { since = .now() }
      last = picture
      // Longer than the longest pause between two frames of an animation.
      guard Instant.now() - since > .milliseconds(150), isWanted(picture) else { return false }
      found = picture
      return true
    }
    guard let found else { throw TestFailure("the screen never showed \(wish)") }
    return found
  }

  /// Does something again and again until a picture taken soon afterwards is a wanted one; for what
  /// is seen only for a moment, which a busy machine may miss.
  ///
  /// - Returns: The picture, or nil where none came in time.
  func glimpse(
    within timeout: Duration = .seconds(30),
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

  /// The different pictures that the screen shows during a time, in order.
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

// SPDX-License-Identifier: MIT
import DBus
import Glibc
import Testing
import TestSupport

@Suite(
  "The real Plank",
  .privateBus,
  .enabled(
    if: Plank.missing.isEmpty,
    "Plank can't be shown here, install what is missing: \(Plank.missing.joined(separator: " "))"
  )
)
struct PlankTests {
  private static let mail = "org.example.mail"
  private static let chat = "org.example.chat"

  @Test("shows numbers on the right icons, after it was restarted too, and none at zero")
  func numbers() throws {
    let session = try LauncherSession()
    let dock = try Plank(in: session, apps: [Self.mail, Self.chat])
    #expect(
      try dock.picture {
        $0.hasIcon(.steelBlue) && $0.hasIcon(.seaGreen) && $0.number(on: .steelBlue) == nil
          && $0.number(on: .seaGreen) == nil
      } != nil
    )

    try session.call("Set", .string(Self.mail), .int64(7))
    let seven = try #require(
      try dock.picture { $0.number(on: .steelBlue) != nil }?.number(on: .steelBlue)
    )
    #expect(seven.joined().contains("#"))

    try session.call("Set", .string(Self.mail), .int64(8))
    let eight = try #require(
      try dock.picture { $0.number(on: .steelBlue) ?? seven != seven }?.number(on: .steelBlue)
    )

    try session.call("Set", .string(Self.chat), .int64(7))
    let both = try #require(try dock.picture { $0.number(on: .seaGreen) != nil })
    #expect(both.number(on: .seaGreen) == seven)
    #expect(both.number(on: .steelBlue) == eight)

    try dock.restart()
    let again = try #require(
      try dock.picture { $0.number(on: .seaGreen) != nil && $0.number(on: .steelBlue) != nil }
    )
    #expect(again.number(on: .seaGreen) == seven)
    #expect(again.number(on: .steelBlue) == eight)

    try session.call("Set", .string(Self.mail), .int64(0))
    try session.call("Remove", .string(Self.chat))
    #expect(
      try dock.picture {
        $0.hasIcon(.steelBlue) && $0.hasIcon(.seaGreen) && $0.number(on: .steelBlue) == nil
          && $0.number(on: .seaGreen) == nil
      } != nil
    )
  }

  @Test("hides numbers while the person is not to be disturbed, and shows the app's own after")
  func quiet() throws {
    let session = try LauncherSession()
    let dock = try Plank(in: session, apps: [Self.mail, Self.chat])
    try session.call("Set", .string(Self.mail), .int64(7))
    #expect(try dock.picture { $0.number(on: .steelBlue) != nil } != nil)
    try session.setQuiet(true)
    #expect(
      try dock.picture { $0.hasIcon(.steelBlue) && $0.number(on: .steelBlue) == nil } != nil
    )
    try session.setQuiet(false)
    #expect(try dock.picture { $0.number(on: .steelBlue) != nil } != nil)
  }
}

/// The real Plank on a private display, with a steel blue icon and a sea green one.
final class Plank {
  /// The programs that `dock-shot` needs.
  static let programs = ["plank", "Xvfb", "xwd", "xdotool", "convert", "identify"]

  /// Those of ``programs`` that are not installed.
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

  /// Starts a dock in `session` with launchers for `apps`.
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
    try process.waitForLine(containing: "ready")
  }

  deinit {
    process.closeInput()
    _ = try? process.wait()
  }

  /// Ends the dock and starts it again.
  func restart() throws {
    process.write("restart\n")
    try process.waitForLine(containing: "ready")
    last = nil
  }

  /// Takes screenshots until two in a row are the same and wanted.
  ///
  /// - Returns: The picture, or nil if the time is up.
  func picture(where isWanted: (DockPicture) -> Bool) throws -> DockPicture? {
    var found: DockPicture?
    _ = try eventually {
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
    try process.waitForLine(containing: "shot")
    return try DockPicture(file, in: session.folder)
  }
}

/// A screenshot of a dock: app icons of one colour each, with badges.
struct DockPicture: Equatable {
  /// The colour of an icon.
  struct Color: Equatable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    /// The first icon's.
    static let steelBlue = Color(red: 70, green: 130, blue: 180)
    /// The second icon's.
    static let seaGreen = Color(red: 46, green: 139, blue: 87)

    /// Whether it is some red of a badge.
    var isRed: Bool { red > 150 && green < 90 && blue < 90 }
    /// Whether it is the white of a badge's number.
    var isWhite: Bool { min(red, green, blue) > 170 }
  }

  private struct Box {
    var columns: ClosedRange<Int>
    var rows: ClosedRange<Int>
  }

  private let width: Int
  private let height: Int
  private let bytes: [UInt8]

  /// The picture that `dock-shot` wrote to `path`, as it was before that scaled it up.
  init(_ path: String, in folder: TemporaryDirectory) throws {
    (width, height) = (500, 110)
    let raw = folder.appending("pixels.rgb")
    let conversion = try SpawnedProcess.run(
      "convert",
      [path, "-sample", "\(width)x\(height)!", "-depth", "8", "rgb:\(raw)"],
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"]
    )
    guard conversion.status == .success, let bytes = Self.bytes(of: raw),
      bytes.count == width * height * 3
    else { throw TestFailure("the picture can't be read: \(conversion.errorOutput)") }
    self.bytes = bytes
  }

  /// Whether an icon of this colour is there.
  func hasIcon(_ color: Color) -> Bool { box(of: color) != nil }

  /// The white dots of the number in the badge on the icon of this colour, row by row; nil where the
  /// icon has no badge.
  func number(on color: Color) -> [String]? {
    guard let icon = box(of: color) else { return nil }
    // The badge lies over the icon's upper right quarter, and a little beyond.
    let middle = (icon.columns.lowerBound + icon.columns.upperBound) / 2
    let area = Box(
      columns: middle...min(width - 1, icon.columns.upperBound + 8),
      rows: max(0, icon.rows.lowerBound - 8)...((icon.rows.lowerBound + icon.rows.upperBound) / 2)
    )
    guard let badge = box(in: area, where: \.isRed), badge.columns.count >= 10,
      badge.rows.count >= 10
    else { return nil }
    return badge.rows.map { row in
      String(badge.columns.map { self[$0, row].isWhite ? "#" : "." })
    }
  }

  private subscript(column: Int, row: Int) -> Color {
    let index = (row * width + column) * 3
    return Color(red: bytes[index], green: bytes[index + 1], blue: bytes[index + 2])
  }

  private func box(of color: Color) -> Box? {
    box(in: Box(columns: 0...width - 1, rows: 0...height - 1)) { $0 == color }
  }

  /// The smallest box round all dots in `area` that fit.
  private func box(in area: Box, where fits: (Color) -> Bool) -> Box? {
    var columns: [Int] = []
    var rows: [Int] = []
    for row in area.rows {
      for column in area.columns where fits(self[column, row]) {
        columns.append(column)
        rows.append(row)
      }
    }
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
      let bottom = rows.max()
    else { return nil }
    return Box(columns: left...right, rows: top...bottom)
  }

  private static func bytes(of path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}

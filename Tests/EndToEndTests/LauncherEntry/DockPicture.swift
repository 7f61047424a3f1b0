// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

/// What a dock shows: the icons of apps, each one colour, with badges on them.
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

// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

/// The pixels of a screen.
struct Picture: Equatable {
  /// A colour, `0xRRGGBB`.
  typealias Color = UInt32

  /// A rectangle of pixels.
  struct Box: Equatable, CustomStringConvertible {
    var columns: Range<Int>
    var rows: Range<Int>

    var width: Int { columns.count }
    var height: Int { rows.count }
    /// Twice the centre, which may lie between two pixels.
    var doubledMiddle: (x: Int, y: Int) {
      (columns.lowerBound + columns.upperBound, rows.lowerBound + rows.upperBound)
    }

    var description: String { "columns \(columns), rows \(rows)" }

    /// The box enlarged by `dots` pixels on each side.
    func grown(by dots: Int) -> Box {
      Box(
        columns: columns.lowerBound - dots..<columns.upperBound + dots,
        rows: rows.lowerBound - dots..<rows.upperBound + dots
      )
    }
  }

  let width: Int
  let height: Int
  /// The colours, row by row.
  let dots: [Color]

  /// All of the picture.
  var bounds: Box { Box(columns: 0..<width, rows: 0..<height) }

  /// Whether two colours are the same but for rounding and smoothed edges.
  static func isNear(_ one: Color, _ other: Color, by distance: Int = 24) -> Bool {
    for shift: UInt32 in [0, 8, 16] {
      let difference = Int((one >> shift) & 0xFF) - Int((other >> shift) & 0xFF)
      if abs(difference) > distance { return false }
    }
    return true
  }

  /// The bounding box of all pixels of a colour, in the picture or a part of it; nil if there are none.
  func box(of color: Color, in part: Box? = nil) -> Box? {
    var columns: (first: Int, last: Int)?
    var rows: (first: Int, last: Int)?
    forEachDot(in: part) { column, row, dot in
      guard dot == color || Self.isNear(dot, color) else { return }
      columns = (min(columns?.first ?? column, column), max(columns?.last ?? column, column))
      rows = (rows?.first ?? row, row)
    }
    guard let columns, let rows else { return nil }
    return Box(columns: columns.first..<columns.last + 1, rows: rows.first..<rows.last + 1)
  }

  /// The number of pixels of a colour, in the picture or a part of it.
  func count(of color: Color, in part: Box? = nil) -> Int {
    var count = 0
    forEachDot(in: part) { _, _, dot in
      if dot == color || Self.isNear(dot, color) { count += 1 }
    }
    return count
  }

  /// A part of the picture.
  func part(_ box: Box) -> Picture {
    let box = clamped(box)
    var dots: [Color] = []
    for row in box.rows {
      let start = row * width
      dots += self.dots[start + box.columns.lowerBound..<start + box.columns.upperBound]
    }
    return Picture(width: box.width, height: box.height, dots: dots)
  }

  private func forEachDot(in part: Box?, _ body: (Int, Int, Color) -> Void) {
    let box = clamped(part ?? bounds)
    for row in box.rows {
      let start = row * width
      for column in box.columns { body(column, row, dots[start + column]) }
    }
  }

  private func clamped(_ box: Box) -> Box {
    Box(columns: box.columns.clamped(to: 0..<width), rows: box.rows.clamped(to: 0..<height))
  }
}

extension Picture {
  /// Reads an X window dump of 32 bits per pixel; see XWDFile.h.
  ///
  /// - Throws: ``TestFailure`` for any other format.
  init(windowDump bytes: [UInt8]) throws {
    func header(_ index: Int) -> Int {
      bytes[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.count > 100, header(1) == 7, header(11) == 32 else {
      throw TestFailure("not a window dump of 32 bits per pixel")
    }
    let (width, height, stride) = (header(4), header(5), header(12))
    let start = header(0) + header(19) * 12
    guard stride == width * 4, bytes.count >= start + height * stride else {
      throw TestFailure("the window dump is truncated")
    }
    dots = unsafe bytes.withUnsafeBytes { bytes in
      (0..<width * height).map { index in
        // Blue comes first; the fourth byte is unused.
        unsafe bytes.loadUnaligned(fromByteOffset: start + index * 4, as: UInt32.self) & 0xFF_FFFF
      }
    }
    self.width = width
    self.height = height
  }

  /// Reads a binary portable pixmap; see ppm(5).
  ///
  /// - Throws: ``TestFailure`` for any other format.
  init(pixmap bytes: [UInt8]) throws {
    var position = 0
    func word() -> String {
      let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0A }
      while position < bytes.count, isSpace(bytes[position]) { position += 1 }
      let start = position
      while position < bytes.count, !isSpace(bytes[position]) { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    guard word() == "P6", let width = Int(word()), let height = Int(word()), word() == "255",
      bytes.count == position + 1 + width * height * 3
    else { throw TestFailure("not a pixmap of 8 bits per colour") }
    let start = position + 1
    dots = (0..<width * height).map { index in
      let at = start + index * 3
      return UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2])
    }
    self.width = width
    self.height = height
  }

  /// The contents of a file.
  ///
  /// - Throws: ``TestFailure`` if it can't be read.
  static func bytes(ofFile path: String) throws -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TestFailure("there is no \(path)") }
    defer { _ = close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}

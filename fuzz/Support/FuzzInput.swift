// SPDX-License-Identifier: MIT
@testable import DBus

/// Reads values from the front of the fuzzer's input.
struct FuzzInput {
  private var rest: ArraySlice<UInt8>

  init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    rest = unsafe Array(UnsafeBufferPointer(start: start, count: count))[...]
  }

  var isEmpty: Bool { rest.isEmpty }

  /// The next byte, or 0 at the end.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// One of `elements`, which must not be empty.
  mutating func choice<Element>(of elements: [Element]) -> Element {
    elements[Int(byte()) % elements.count]
  }

  /// The next number, little-endian.
  mutating func integer() -> UInt64 {
    (0..<8).reduce(0) { number, index in number | UInt64(byte()) << (8 * UInt64(index)) }
  }

  /// The next signed number, little-endian.
  mutating func signed() -> Int64 { Int64(bitPattern: integer()) }

  /// Some bytes, after a byte with their number.
  mutating func piece() -> [UInt8] {
    let count = min(Int(byte()), rest.count)
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// A piece as text, with replacement characters for invalid UTF-8.
  mutating func text() -> String { String(decoding: piece(), as: UTF8.self) }

  /// All remaining bytes.
  mutating func remainder() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }

  /// A signal whose body is some bytes, after two with their number; nil if libdbus rejects it.
  mutating func signal(signature: String) -> Message? {
    var bytes: [UInt8] = [UInt8(ascii: "l"), 4, 0, 1]
    let length = Int(byte()) | Int(byte()) << 8
    let body = Array(rest.prefix(length))
    rest = rest.dropFirst(length)
    func append(_ number: Int) {
      for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    func pad(to alignment: Int) { while bytes.count % alignment != 0 { bytes.append(0) } }
    func field(_ code: UInt8, _ type: String, _ value: String) {
      pad(to: 8)
      bytes += [code, 1, UInt8(ascii: type == "g" ? "g" : type == "o" ? "o" : "s"), 0]
      if type == "g" { bytes.append(UInt8(value.utf8.count)) } else { append(value.utf8.count) }
      bytes += Array(value.utf8) + [0]
    }
    append(body.count)
    append(1)
    append(0)
    field(1, "o", "/com/canonical/unity/launcherentry/1")
    field(2, "s", "com.canonical.Unity.LauncherEntry")
    field(3, "s", "Update")
    field(8, "g", signature)
    let fields = bytes.count - 16
    for index in 0..<4 { bytes[12 + index] = UInt8(truncatingIfNeeded: fields >> (8 * index)) }
    pad(to: 8)
    return unsafe (bytes + body).withUnsafeBytes { unsafe try? Message.demarshal($0) }
  }
}

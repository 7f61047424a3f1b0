// SPDX-License-Identifier: MIT
@testable import DBus

/// Marshals as a machine of the other byte order does; knows what one test needs.
struct ForeignOrderWriter {
  private(set) var bytes: [UInt8] = []

  static let byteOrder = UInt8(ascii: OutgoingHeader.byteOrder == UInt8(ascii: "l") ? "B" : "l")

  mutating func align(_ boundary: Int) {
    while bytes.count % boundary != 0 { bytes.append(0) }
  }

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    align(MemoryLayout<Number>.size)
    let swapped = number.byteSwapped
    for index in 0..<MemoryLayout<Number>.size {
      bytes.append(UInt8(truncatingIfNeeded: swapped >> (8 * index)))
    }
  }

  mutating func append(_ text: String) {
    append(UInt32(text.utf8.count))
    bytes += Array(text.utf8) + [0]
  }

  mutating func append(signature: String) {
    append(UInt8(signature.utf8.count))
    bytes += Array(signature.utf8) + [0]
  }

  /// A signal with a body.
  static func message(_ signature: String, _ body: (inout ForeignOrderWriter) -> Void) -> [UInt8] {
    var content = ForeignOrderWriter()
    body(&content)
    var message = ForeignOrderWriter()
    message.bytes = [byteOrder, 4, 1, 1]
    message.append(UInt32(content.bytes.count))
    message.append(7 as UInt32)
    message.append(0 as UInt32)
    for (code, type, text) in [(1, "o", "/a"), (2, "s", "a.b"), (3, "s", "Member")] {
      message.align(8)
      message.append(UInt8(code))
      message.append(signature: type)
      message.append(text)
    }
    message.align(8)
    message.append(8 as UInt8)
    message.append(signature: "g")
    message.append(signature: signature)
    let length = UInt32(message.bytes.count - 16)
    message.align(8)
    for index in 0..<4 {
      message.bytes[12 + index] = UInt8(truncatingIfNeeded: length.byteSwapped >> (8 * index))
    }
    return message.bytes + content.bytes
  }
}

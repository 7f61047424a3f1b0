// SPDX-License-Identifier: MIT
internal import CLinux

/// One event as `inotify(7)` delivers it.
struct InotifyEvent {
  /// The number of the watch it is about; -1 where events were lost.
  let watch: CInt

  /// The bits `IN_…`.
  let mask: UInt32

  /// The name it is about in the watched folder; empty for the folder itself.
  let name: String

  /// The size of an event without its name: four numbers of 32 bits.
  private static let headerSize = 16

  /// Takes the first event off `bytes`; nil where there is no whole one.
  init?(takingFrom bytes: inout ArraySlice<UInt8>) {
    guard bytes.count >= Self.headerSize else { return nil }
    let header = unsafe bytes.prefix(Self.headerSize).withUnsafeBytes { header in
      (0..<4).map { unsafe header.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
    let rest = bytes.dropFirst(Self.headerSize)
    guard let length = Int(exactly: header[3]), rest.count >= length else { return nil }
    watch = CInt(bitPattern: header[0])
    mask = header[1]
    name = String(decoding: rest.prefix(length).prefix { $0 != 0 }, as: UTF8.self)
    bytes = rest.dropFirst(length)
  }

  /// Whether the event has a bit of `IN_…`.
  func has(_ bit: some BinaryInteger) -> Bool {
    mask & UInt32(truncatingIfNeeded: bit) != 0
  }
}

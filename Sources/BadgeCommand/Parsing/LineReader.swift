// SPDX-License-Identifier: MIT

/// Gives the lines of standard input as they come in, and keeps no more than one of them.
struct LineReader {
  /// Longer lines are skipped.
  static let limit = 65_536

  enum Line: Equatable {
    case text([UInt8])
    case tooLong
  }

  private let read: () throws(CommandError) -> [UInt8]
  private var pending: ArraySlice<UInt8> = []
  private var hasEnded = false

  init(console: Console) {
    read = { () throws(CommandError) in try console.read(upTo: 4096) }
  }

  /// A reader of chunks from anywhere; an empty one is the end.
  init(chunks read: @escaping () throws(CommandError) -> [UInt8]) {
    self.read = read
  }

  /// The next line without its end; nil after the last.
  mutating func next() throws(CommandError) -> Line? {
    var line: [UInt8] = []
    var isTooLong = false
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        line += pending[..<end]
        pending = pending[(end + 1)...]
        return isTooLong || line.count > Self.limit ? .tooLong : .text(line)
      }
      line += pending
      pending = []
      if line.count > Self.limit {
        isTooLong = true
        line = []
      }
      if !hasEnded {
        pending = try read()[...]
        hasEnded = pending.isEmpty
      }
      if hasEnded {
        if isTooLong { return .tooLong }
        return line.isEmpty ? nil : .text(line)
      }
    }
  }
}

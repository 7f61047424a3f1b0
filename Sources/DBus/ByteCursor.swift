// SPDX-License-Identifier: MIT

/// Reads numbers and the extent of texts at positions that may lie beyond the end; nil then.
struct ByteCursor {
  /// Whether the bytes' order is not the machine's.
  let isSwapped: Bool

  @inline(__always)
  func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: borrowing Span<UInt8>,
    at position: Int,
    as type: Number.Type
  ) -> Number? {
    guard position >= 0, position <= bytes.count - MemoryLayout<Number>.size else { return nil }
    let raw = unsafe bytes.bytes
    let number = unsafe raw.unsafeLoadUnaligned(fromByteOffset: position, as: Number.self)
    return isSwapped ? number.byteSwapped : number
  }

  @inline(__always)
  func uint32(_ bytes: borrowing Span<UInt8>, at position: Int) -> UInt32? {
    number(bytes, at: position, as: UInt32.self)
  }

  /// The extent of a string's or path's text, whose length is at `position`; a NUL must follow.
  @inline(__always)
  func text(_ bytes: borrowing Span<UInt8>, at position: Int, end: Int) -> Range<Int>? {
    guard let length = uint32(bytes, at: position) else { return nil }
    let start = position + 4
    guard Int(length) < end - start, bytes[start + Int(length)] == 0 else { return nil }
    return start..<start + Int(length)
  }

  /// The extent of a signature's text, whose length is at `position`; a NUL must follow.
  @inline(__always)
  func signature(_ bytes: borrowing Span<UInt8>, at position: Int, end: Int) -> Range<Int>? {
    guard position >= 0, position < end else { return nil }
    let length = Int(bytes[position])
    let start = position + 1
    guard length < end - start, bytes[start + length] == 0 else { return nil }
    return start..<start + length
  }
}

extension ByteCursor {
  /// Where the value at `position` ends, whose type is at `type` in the same bytes; nil where it
  /// does not end by `end` or is nested too deep.
  func skip(
    _ bytes: borrowing Span<UInt8>,
    type: Int,
    at position: Int,
    end: Int,
    depth: Int = 0
  ) -> Int? {
    guard depth <= MessageWriter.maximumDepth, type < bytes.count,
      let code = TypeCode(rawValue: bytes[type])
    else { return nil }
    let start = position.aligned(to: code.alignment)
    let next: Int?
    switch code {
    case .string, .objectPath:
      next = text(bytes, at: start, end: end).map { $0.upperBound + 1 }
    case .signature:
      next = signature(bytes, at: start, end: end).map { $0.upperBound + 1 }
    case .array:
      next = array(bytes, type: type, at: start)?.upperBound
    case .variant:
      guard let types = variant(bytes, at: start, end: end) else { return nil }
      next = skip(
        bytes,
        type: types.lowerBound,
        at: types.upperBound + 1,
        end: end,
        depth: depth + 1
      )
    case .structure, .dictionaryEntry:
      var type = type + 1
      var position = start
      while type < bytes.count, bytes[type] != UInt8(ascii: ")"), bytes[type] != UInt8(ascii: "}") {
        guard
          let after = skip(bytes, type: type, at: position, end: end, depth: depth + 1),
          let nextType = SignatureGrammar.endOfType(bytes, from: type)
        else { return nil }
        position = after
        type = nextType
      }
      next = position
    default:
      next = code.fixedSize.map { start + $0 }
    }
    guard let next, next <= end else { return nil }
    return next
  }

  /// The extent of the elements of the array whose length is at `position`.
  func array(_ bytes: borrowing Span<UInt8>, type: Int, at position: Int) -> Range<Int>? {
    guard let length = uint32(bytes, at: position), type + 1 < bytes.count,
      let element = TypeCode(rawValue: bytes[type + 1])
    else { return nil }
    let start = (position + 4).aligned(to: element.alignment)
    return start..<start + Int(length)
  }

  /// The extent of the signature of the variant at `position`, one complete type.
  func variant(_ bytes: borrowing Span<UInt8>, at position: Int, end: Int) -> Range<Int>? {
    guard let types = signature(bytes, at: position, end: end),
      SignatureGrammar.completeTypeCount(bytes.extracting(types)) == 1
    else { return nil }
    return types
  }
}

extension Int {
  /// The next multiple of a power of two.
  @inline(__always)
  func aligned(to boundary: Int) -> Int { (self + boundary - 1) & ~(boundary - 1) }
}

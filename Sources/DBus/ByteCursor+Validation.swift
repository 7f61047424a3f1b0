// SPDX-License-Identifier: MIT

extension ByteCursor {
  /// Arrays are at most this many bytes long, section "Marshalling" of the D-Bus specification.
  static let maximumArrayLength = 1 << 26

  /// A place in a body: where the next value lies, and where its type.
  struct Place {
    var type: Int
    var position: Int
  }

  /// Whether the bytes from `start` on are values of these types, all of them and nothing else, and
  /// each is one that may travel: padding of zeros, truth values 0 or 1, texts of UTF-8 without NUL,
  /// valid paths and signatures, lengths that fit, and no deeper nesting than is allowed.
  ///
  /// Source: D-Bus specification, "Marshaling (Wire Format)"; libdbus takes the same messages.
  func isBody(_ bytes: borrowing Span<UInt8>, types: Range<Int>, from start: Int) -> Bool {
    var place = Place(type: types.lowerBound, position: start)
    while place.type < types.upperBound {
      guard isValue(bytes, at: &place, end: bytes.count, depth: 0) else { return false }
    }
    return place.position == bytes.count
  }

  /// Whether a value that may travel lies at a place, whose type is known to be one; moves past it.
  func isValue(
    _ bytes: borrowing Span<UInt8>,
    at place: inout Place,
    end: Int,
    depth: Int
  ) -> Bool {
    guard depth <= MessageWriter.maximumDepth, let code = TypeCode(rawValue: bytes[place.type]),
      let start = padded(bytes, from: place.position, to: code.alignment, end: end)
    else { return false }
    switch code {
    case .array:
      return isArray(bytes, at: &place, start: start, end: end, depth: depth)
    case .structure, .dictionaryEntry:
      return isStructure(bytes, at: &place, start: start, end: end, depth: depth)
    case .variant:
      guard let types = variant(bytes, at: start, end: end) else { return false }
      var content = Place(type: types.lowerBound, position: types.upperBound + 1)
      guard isValue(bytes, at: &content, end: end, depth: depth + 1) else { return false }
      place.position = content.position
    case .string, .objectPath:
      guard let text = text(bytes, at: start, end: end) else { return false }
      let content = bytes.extracting(text)
      guard code == .string ? Self.isText(content) : NameGrammar.isObjectPath(content) else {
        return false
      }
      place.position = text.upperBound + 1
    case .signature:
      guard let text = signature(bytes, at: start, end: end),
        SignatureGrammar.completeTypeCount(bytes.extracting(text)) != nil
      else { return false }
      place.position = text.upperBound + 1
    case .boolean:
      guard let number = uint32(bytes, at: start), start + 4 <= end, number <= 1 else {
        return false
      }
      place.position = start + 4
    default:
      guard let size = code.fixedSize, start + size <= end else { return false }
      place.position = start + size
    }
    place.type += 1
    return true
  }

  private func isArray(
    _ bytes: borrowing Span<UInt8>,
    at place: inout Place,
    start: Int,
    end: Int,
    depth: Int
  ) -> Bool {
    guard start + 4 <= end, let length = uint32(bytes, at: start),
      length <= Self.maximumArrayLength,
      let element = TypeCode(rawValue: bytes[place.type + 1]),
      let first = padded(bytes, from: start + 4, to: element.alignment, end: end),
      Int(length) <= end - first,
      let nextType = SignatureGrammar.endOfType(bytes, from: place.type)
    else { return false }
    let last = first + Int(length)
    if let size = element.fixedSize, element != .boolean {
      guard Int(length) % size == 0 else { return false }
    } else {
      var elements = Place(type: place.type + 1, position: first)
      while elements.position < last {
        elements.type = place.type + 1
        guard isValue(bytes, at: &elements, end: last, depth: depth + 1) else { return false }
      }
    }
    place = Place(type: nextType, position: last)
    return true
  }

  private func isStructure(
    _ bytes: borrowing Span<UInt8>,
    at place: inout Place,
    start: Int,
    end: Int,
    depth: Int
  ) -> Bool {
    place = Place(type: place.type + 1, position: start)
    while bytes[place.type] != UInt8(ascii: ")"), bytes[place.type] != UInt8(ascii: "}") {
      guard isValue(bytes, at: &place, end: end, depth: depth + 1) else { return false }
    }
    place.type += 1
    return true
  }

  /// The boundary at or after `position`, which has to be reached by zeros before `end`.
  @inline(__always)
  func padded(
    _ bytes: borrowing Span<UInt8>,
    from position: Int,
    to boundary: Int,
    end: Int
  ) -> Int? {
    let start = position.aligned(to: boundary)
    guard start <= end else { return nil }
    for index in position..<start where bytes[index] != 0 { return nil }
    return start
  }

  /// Whether the bytes are UTF-8 without a NUL.
  static func isText(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] &- 1 >= 0x7f {
      return bytes[index] != 0 && isUnicode(bytes.extracting(index...))
    }
    return true
  }

  private static func isUnicode(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] == 0 { return false }
    return (try? UTF8Span(validating: bytes)) != nil
  }
}

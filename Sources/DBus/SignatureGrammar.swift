// SPDX-License-Identifier: MIT

/// Walks signatures, section "Signatures" of the D-Bus specification.
enum SignatureGrammar {
  static let maximumLength = 255
  /// Arrays and structures may each be nested this deep.
  static let maximumNesting = 32

  /// The number of complete types in the bytes; nil where they are no signature.
  static func completeTypeCount(_ bytes: Span<UInt8>) -> Int? {
    guard bytes.count <= maximumLength else { return nil }
    var position = 0
    var types = 0
    while position < bytes.count {
      guard let end = endOfType(bytes, from: position) else { return nil }
      position = end
      types += 1
    }
    return types
  }

  /// Where the complete type that starts at `position` ends; nil where none starts there.
  static func endOfType(
    _ bytes: Span<UInt8>,
    from position: Int,
    arrays: Int = 0,
    structures: Int = 0
  ) -> Int? {
    guard position < bytes.count, let code = TypeCode(rawValue: bytes[position]) else { return nil }
    switch code {
    case .array:
      guard arrays < maximumNesting, position + 1 < bytes.count else { return nil }
      guard bytes[position + 1] == TypeCode.dictionaryEntry.rawValue else {
        return endOfType(bytes, from: position + 1, arrays: arrays + 1, structures: structures)
      }
      return endOfEntry(bytes, from: position + 1, arrays: arrays + 1, structures: structures)
    case .structure:
      guard structures < maximumNesting else { return nil }
      var next = position + 1
      while next < bytes.count, bytes[next] != UInt8(ascii: ")") {
        guard
          let end = endOfType(bytes, from: next, arrays: arrays, structures: structures + 1)
        else { return nil }
        next = end
      }
      return next < bytes.count && next > position + 1 ? next + 1 : nil
    case .dictionaryEntry:
      return nil
    default:
      return position + 1
    }
  }

  private static func endOfEntry(
    _ bytes: Span<UInt8>,
    from position: Int,
    arrays: Int,
    structures: Int
  ) -> Int? {
    guard position + 1 < bytes.count, let key = TypeCode(rawValue: bytes[position + 1]),
      key.isBasic,
      let end = endOfType(bytes, from: position + 2, arrays: arrays, structures: structures),
      end < bytes.count, bytes[end] == UInt8(ascii: "}")
    else { return nil }
    return end + 1
  }
}

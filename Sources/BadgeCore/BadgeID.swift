// SPDX-License-Identifier: MIT

/// The id of a badge: a desktop-file id where there is one, else any name.
///
/// 1 to 255 bytes of UTF-8 without control characters, without `/` and without white space at
/// either end. `application://X.desktop`, `application://X` and `X.desktop` all mean `X`. Ids are
/// equal when their bytes are, not when Unicode calls them canonically equivalent.
public struct BadgeID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The id as it is written on the bus and in storage.
  public let rawValue: String

  /// A hash of the bytes; its lowest bit says that they are all ASCII.
  ///
  /// An id is looked up several times in a call, and bytes of a string are slow to come by.
  let fingerprint: Int

  /// The id as it is written on the bus and in storage.
  public var description: String { rawValue }

  /// Takes scheme and suffix off until none is left, then checks what remains.
  ///
  /// - Throws: `BadgeError.invalidID` when it is empty, too long, padded with white space, or holds
  ///   a `/` or a control character.
  public init(_ raw: String) throws(BadgeError) {
    let bytes = Array(raw.utf8)
    let range = Self.bareRange(of: bytes)
    let bare = range.count == bytes.count ? raw : String(decoding: bytes[range], as: UTF8.self)
    if let reason = Self.fault(of: bytes[range], bare) {
      throw .invalidID(raw, reason: reason)
    }
    self.init(bare, bytes[range])
  }

  private init(_ bare: String, _ bytes: ArraySlice<UInt8>) {
    rawValue = bare
    fingerprint = TextRules.hash(of: bytes) << 1 | (TextRules.isASCII(bytes) ? 1 : 0)
  }

  /// Names no badge: the id of values that only stand for a badge's defaults.
  static let nobody = BadgeID("", [])

  /// Whether the bytes of two ids are the same.
  public static func == (left: Self, right: Self) -> Bool {
    // Among ASCII texts Unicode's equivalence is equality.
    left.fingerprint == right.fingerprint && left.rawValue == right.rawValue
      && (left.fingerprint & 1 == 1 || TextRules.haveSameBytes(left.rawValue, right.rawValue))
  }

  /// Orders ids by their bytes.
  public static func < (left: Self, right: Self) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }

  /// Hashes the bytes, as `==` compares them.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fingerprint)
  }

  private static let scheme = Array("application://".utf8)
  private static let suffix = Array(".desktop".utf8)

  private static func bareRange(of bytes: [UInt8]) -> Range<Int> {
    var range = bytes.indices
    while true {
      if bytes[range].starts(with: scheme) {
        range = range.dropFirst(scheme.count)
      } else if bytes[range].suffix(suffix.count) == suffix[...] {
        range = range.dropLast(suffix.count)
      } else {
        return range
      }
    }
  }

  private static func fault(of bytes: ArraySlice<UInt8>, _ bare: String) -> String? {
    if bytes.isEmpty { return "is empty" }
    if bytes.count > Limits.idBytes { return "is longer than \(Limits.idBytes) bytes" }
    if bytes.contains(UInt8(ascii: "/")) { return "holds a '/'" }
    if TextRules.hasControl(bytes) { return "holds a control character" }
    if TextRules.isPadded(bare) { return "has white space at an end" }
    return nil
  }
}

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
    let range = Self.bareRange(of: raw)
    let isWhole = range.count == raw.utf8.count
    let bare = isWhole ? raw : String(decoding: Array(raw.utf8)[range], as: UTF8.self)
    if let reason = Self.fault(of: bare) { throw .invalidID(raw, reason: reason) }
    self.init(valid: bare)
  }

  private init(valid bare: String) {
    rawValue = bare
    fingerprint = TextRules.fingerprint(of: bare)
  }

  /// Names no badge: the id of values that only stand for a badge's defaults.
  static let nobody = BadgeID(valid: "")

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

  private static func bareRange(of raw: String) -> Range<Int> {
    let bytes = raw.utf8.span
    var range = bytes.indices
    while true {
      if bytes.has(scheme, from: range.lowerBound, upTo: range.upperBound) {
        range = range.dropFirst(scheme.count)
      } else if bytes.has(suffix, from: range.upperBound - suffix.count, upTo: range.upperBound),
        range.count >= suffix.count
      {
        range = range.dropLast(suffix.count)
      } else {
        return range
      }
    }
  }

  private static func fault(of bare: String) -> String? {
    let bytes = bare.utf8.span
    if bytes.isEmpty { return "is empty" }
    if bytes.count > Limits.idBytes { return "is longer than \(Limits.idBytes) bytes" }
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") { return "holds a '/'" }
    if TextRules.hasControl(bare) { return "holds a control character" }
    if TextRules.isPadded(bare) { return "has white space at an end" }
    return nil
  }
}

extension Span<UInt8> {
  /// Whether these bytes start at a position, and end by another.
  fileprivate func has(_ other: [UInt8], from start: Int, upTo end: Int) -> Bool {
    guard start >= 0, start + other.count <= end else { return false }
    for index in other.indices where self[start + index] != other[index] { return false }
    return true
  }
}

// SPDX-License-Identifier: MIT

/// The id of a badge: a desktop-file id if there is one, else any name.
///
/// 1 to 255 bytes of UTF-8 without control characters, `/`, or white space at either end.
/// `application://X.desktop`, `application://X` and `X.desktop` all mean `X`. Ids are compared by
/// their bytes, not by canonical equivalence.
public struct BadgeID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The id without scheme and suffix, as it is written on the bus and in storage.
  public let rawValue: String

  /// A hash of the bytes; the lowest bit is 1 if they are all ASCII.
  ///
  /// Kept because an id is looked up several times in a call.
  let fingerprint: Int

  /// The same as `rawValue`.
  public var description: String { rawValue }

  /// Strips all schemes and suffixes and checks the rest.
  ///
  /// - Throws: `BadgeError.invalidID` if it is empty, too long, padded with white space, or holds a
  ///   `/` or a control character.
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

  /// The id of `Badge.plain`, which is no badge's.
  static let nobody = BadgeID(valid: "")

  /// Whether the bytes of two ids are the same.
  public static func == (left: Self, right: Self) -> Bool {
    // For ASCII, canonical equivalence is equality of bytes.
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
    if bytes.count > BadgeLimits.idBytes { return "is longer than \(BadgeLimits.idBytes) bytes" }
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") { return "holds a '/'" }
    if TextRules.hasControl(bare) { return "holds a control character" }
    if TextRules.isPadded(bare) { return "has white space at an end" }
    return nil
  }
}

extension Span<UInt8> {
  /// Whether `other` is found at `start` and ends at or before `end`.
  fileprivate func has(_ other: [UInt8], from start: Int, upTo end: Int) -> Bool {
    guard start >= 0, start + other.count <= end else { return false }
    for index in other.indices where self[start + index] != other[index] { return false }
    return true
  }
}

/// The name of a source, which follows the rules of an id.
public struct SourceName: Hashable, Comparable, Sendable {
  private let id: BadgeID

  /// The name without scheme and suffix, as it is written on the bus and in storage.
  public var rawValue: String { id.rawValue }

  /// Checks a name.
  ///
  /// - Parameters:
  ///   - raw: The name; the empty one, which means the unnamed source, is refused.
  ///   - key: The key or argument to name in the error.
  /// - Throws: `BadgeError.invalidValue` if it is not valid as an id.
  public init(_ raw: String, key: String) throws(BadgeError) {
    do {
      id = try BadgeID(raw)
    } catch {
      throw .invalidValue(
        key: key,
        value: .string(raw),
        expected: "a source name: 1 to \(BadgeLimits.idBytes) bytes without '/', control "
          + "characters or white space at an end"
      )
    }
  }

  /// Orders names by their bytes.
  public static func < (left: Self, right: Self) -> Bool {
    left.id < right.id
  }
}

// SPDX-License-Identifier: MIT

/// The id of a badge: a desktop-file id where there is one, else any name.
///
/// 1 to 255 bytes of UTF-8 without control characters, without `/` and without white space at
/// either end. `application://X.desktop`, `application://X` and `X.desktop` all mean `X`. Ids are
/// equal when their bytes are, not when Unicode calls them canonically equivalent.
public struct BadgeID: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let exact: ExactString

  /// The id as it is written on the bus and in storage.
  public var rawValue: String { exact.text }

  /// The id as it is written on the bus and in storage.
  public var description: String { exact.text }

  /// Takes scheme and suffix off until none is left, then checks what remains.
  ///
  /// - Throws: `BadgeError.invalidID` when it is empty, too long, padded with white space, or holds
  ///   a `/` or a control character.
  public init(_ raw: String) throws(BadgeError) {
    let bare = Self.bare(raw)
    if let reason = Self.fault(of: bare) {
      throw .invalidID(raw, reason: reason)
    }
    exact = ExactString(bare)
  }

  private init(unchecked text: String) {
    exact = ExactString(text)
  }

  /// Names no badge: the id of values that only stand for a badge's defaults.
  static let nobody = BadgeID(unchecked: "")

  /// Orders ids by their bytes.
  public static func < (left: Self, right: Self) -> Bool {
    left.exact < right.exact
  }

  private static let scheme = "application://"
  private static let suffix = ".desktop"

  private static func bare(_ raw: String) -> String {
    var rest = raw[...]
    while true {
      if rest.utf8.starts(with: scheme.utf8) {
        rest = Substring(rest.utf8.dropFirst(scheme.utf8.count))
      } else if rest.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) {
        rest = Substring(rest.utf8.dropLast(suffix.utf8.count))
      } else {
        return rest.utf8.count == raw.utf8.count ? raw : String(rest)
      }
    }
  }

  private static func fault(of bare: String) -> String? {
    if bare.isEmpty { return "is empty" }
    if bare.utf8.count > Limits.idBytes { return "is longer than \(Limits.idBytes) bytes" }
    if bare.utf8.contains(UInt8(ascii: "/")) { return "holds a '/'" }
    if TextRules.hasControl(bare) { return "holds a control character" }
    if TextRules.isPadded(bare) { return "has white space at an end" }
    return nil
  }
}

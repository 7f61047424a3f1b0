// SPDX-License-Identifier: MIT

/// The app that an `Update` of `com.canonical.Unity.LauncherEntry` is about, in whatever form its
/// sender wrote it.
///
/// Accepted are `application://X.desktop`, `application://X`, `X.desktop`, `X`, the absolute path
/// of a desktop file with or without a scheme, percent escapes, and all of these in any case.
public struct ApplicationURI: Hashable, Sendable {
  /// The longest accepted text, in bytes.
  public static let maximumLength = LauncherLimits.uriBytes

  /// The longest id, in bytes.
  public static let maximumIDLength = 255

  /// The desktop-file ids it may mean, the likeliest first; never empty.
  public let candidates: [String]

  /// The id if none of the candidates is installed.
  public var fallback: String { candidates.first ?? "" }

  /// Parses `text`; nil if it names no app: empty, too long, or with a control character.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    var candidates: [String] = []
    for spelling in [Self.percentDecoded(text), text] {
      for name in Self.names(in: spelling) where Self.isID(name) && !candidates.contains(name) {
        candidates.append(name)
      }
    }
    guard !candidates.isEmpty else { return nil }
    self.candidates = candidates
  }

  /// The ids that `text` may stand for: without schemes, folders and suffixes.
  ///
  /// A file in a subfolder of `applications` has an id with dashes for slashes (Desktop Entry
  /// Specification, "Desktop File ID").
  private static func names(in text: String) -> [String] {
    let bare = withoutSchemes(text[...])
    // By bytes: a slash with a combining mark is one character, and not a slash.
    let components = bare.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    guard let last = components.last else { return [] }
    guard components.count > 1 else { return [withoutSuffixes(last)] }
    var names: [String] = []
    if let folder = components.dropLast().lastIndex(of: "applications") {
      names.append(withoutSuffixes(components[(folder + 1)...].joined(separator: "-")[...]))
    } else if bare.utf8.first != UInt8(ascii: "/") {
      names.append(withoutSuffixes(components.joined(separator: "-")[...]))
    }
    names.append(withoutSuffixes(last))
    return names
  }

  /// `text` without the schemes it begins with.
  private static func withoutSchemes(_ text: Substring) -> Substring {
    var rest = text
    while let end = rest.utf8.firstIndex(where: { !isSchemeByte($0) }), end > rest.startIndex,
      rest[end...].utf8.starts(with: "://".utf8)
    {
      rest = rest[rest.utf8.index(end, offsetBy: 3)...]
    }
    return rest
  }

  /// `name` without the `.desktop` suffixes it ends in, in any case.
  private static func withoutSuffixes(_ name: Substring) -> String {
    let suffix = ".desktop"
    var rest = name
    while rest.utf8.count >= suffix.utf8.count {
      let start = rest.utf8.index(rest.endIndex, offsetBy: -suffix.utf8.count)
      guard rest.utf8[start...].elementsEqual(suffix.utf8, by: { lowercased($0) == $1 }) else {
        break
      }
      rest = rest[..<start]
    }
    return String(rest)
  }

  /// `text` with its well-formed percent escapes decoded, or `text` itself if that is not UTF-8.
  private static func percentDecoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.first {
      rest = rest.dropFirst()
      if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(hexadecimal),
        let low = rest.dropFirst().first.flatMap(hexadecimal)
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? text
  }

  /// Whether `name` can be a badge's id.
  private static func isID(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, let last = name.unicodeScalars.last else {
      return false
    }
    return name.utf8.count <= maximumIDLength
      && !first.properties.isWhitespace && !last.properties.isWhitespace
      && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    switch lowercased(byte) {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch lowercased(byte) {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): lowercased(byte) - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

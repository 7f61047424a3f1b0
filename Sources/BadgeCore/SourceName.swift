// SPDX-License-Identifier: MIT

/// The name of a source, by the rules of an id.
public struct SourceName: Hashable, Comparable, Sendable {
  private let id: BadgeID

  /// The name as it is written on the bus and in storage.
  public var rawValue: String { id.rawValue }

  /// Checks a name.
  ///
  /// - Parameters:
  ///   - raw: The name; not empty, since the empty name means the unnamed source.
  ///   - key: The key or argument that the error names.
  /// - Throws: `BadgeError.invalidValue` when an id could not be called so.
  public init(_ raw: String, key: String) throws(BadgeError) {
    do {
      id = try BadgeID(raw)
    } catch {
      throw .invalidValue(
        key: key,
        value: .string(raw),
        expected: "a source name: 1 to \(Limits.idBytes) bytes without '/', control characters or "
          + "white space at an end"
      )
    }
  }

  /// Orders names by their bytes.
  public static func < (left: Self, right: Self) -> Bool {
    left.id < right.id
  }
}

/// A named source of a badge and what it counts, which is never 0.
public struct NamedCount: Hashable, Sendable {
  /// Whose count this is.
  public let name: SourceName
  /// The count, within the bounds.
  public internal(set) var count: Int64

  /// Makes a named count.
  public init(name: SourceName, count: Int64) {
    self.name = name
    self.count = count
  }
}

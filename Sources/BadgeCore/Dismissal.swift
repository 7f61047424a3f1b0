// SPDX-License-Identifier: MIT

/// What is remembered of an id that a person dismissed.
struct Dismissal: Hashable, Sendable {
  /// What each source of the native badge held; `nil` where no native badge was dismissed, or its
  /// value has changed since.
  var native: DismissedValue?
  /// The number of the app's badge; `nil` where it was not dismissed, or has changed since.
  var app: Int64?
  /// Style and policy for the badge's return; `nil` where they are all default, or the badge is back.
  var look: Badge?

  /// Whether nothing is remembered that can still hide a badge.
  var isOver: Bool {
    native == nil && app == nil
  }
}

/// The value that was dismissed, source by source.
public struct DismissedValue: Hashable, Sendable {
  /// What the unnamed source held.
  public internal(set) var unnamed: UnnamedValue
  /// What the named sources counted; those that are not here counted 0.
  public internal(set) var sources: [NamedCount]

  /// Makes a value.
  public init(unnamed: UnnamedValue, sources: [NamedCount] = []) {
    self.unnamed = unnamed
    self.sources = sources
  }

  init(of badge: Badge) {
    self.init(unnamed: badge.unnamed, sources: badge.namedSources)
  }

  /// Whether it is what a cleared badge holds.
  var isCleared: Bool {
    unnamed == .number(0) && sources.isEmpty
  }

  func count(of name: SourceName) -> Int64 {
    sources.first { $0.name == name }?.count ?? 0
  }

  /// Adds what an earlier dismissal remembered of sources that were not set again since.
  func completed(by earlier: DismissedValue?) -> DismissedValue {
    guard let earlier else { return self }
    var result = self
    for source in earlier.sources where count(of: source.name) == 0 {
      result.sources.append(source)
    }
    return result
  }
}

// SPDX-License-Identifier: MIT

extension BadgeBook {
  /// Removes a badge for a person, until its value changes.
  ///
  /// The value of each source is remembered, and the badge stays hidden while it is set to the same.
  /// Style and policy are kept; urgency, progress, `ttl` and `while-pid` end.
  ///
  /// - Throws: `BadgeError.noSuchBadge`, `BadgeError.notDismissable`.
  public mutating func dismiss(_ id: BadgeID) throws(BadgeError) -> BadgeChange {
    guard let position = storage.position(of: id) else { throw .noSuchBadge(id) }
    guard storage[position].isDismissable else { throw .notDismissable(id) }
    let badge = storage.delete(at: position)
    var dismissal = storage.dismissal(of: id) ?? Dismissal()
    if badge.origin == .native {
      dismissal.native = DismissedValue(of: badge).completed(by: dismissal.native)
    }
    if let app = storage.app(of: id), !app.isRemoved {
      dismissal.app = app.announcement.count
    }
    storage.changeApp(of: id) { app in
      app.isUrgent = false
      app.progress = nil
    }
    let style = badge.styleOnly
    dismissal.keptStyle = style.isDefault ? nil : style
    storage.remember(dismissal, of: id)
    return .removed(id, .dismissed)
  }

  /// Ends urgency; does nothing if there is no badge.
  public mutating func acknowledge(_ id: BadgeID) -> BadgeChange {
    guard let position = storage.position(of: id) else { return .none }
    storage.changeApp(of: id) { $0.isUrgent = false }
    guard storage[position].isUrgent else { return .none }
    storage.change(at: position) { $0.isUrgent = false }
    return .updated(id)
  }

  /// Ends the dismissal that hides a badge if the value being set differs from the dismissed one.
  ///
  /// - Returns: Whether the badge was hidden by it, and must not be any longer.
  @inline(__always)  // Mostly the badge is not dismissed, and need not be copied.
  mutating func endDismissal(of badge: Badge, if differs: (DismissedValue) -> Bool) -> Bool {
    badge.isDismissed && endMatchingDismissal(of: badge, if: differs)
  }

  private mutating func endMatchingDismissal(
    of badge: Badge,
    if differs: (DismissedValue) -> Bool
  ) -> Bool {
    guard let dismissal = storage.dismissal(of: badge.id) else {
      // Forgotten in favour of newer ones: the badge still holds the dismissed value.
      return differs(DismissedValue(of: badge))
    }
    if let value = dismissal.native, !differs(value) { return false }
    storage.changeDismissal(of: badge.id) { $0.native = nil }
    return true
  }
}

/// What is remembered of an id whose badge a person dismissed.
struct Dismissal: Hashable, Sendable {
  /// The native badge's value; `nil` if none was dismissed, or the value has changed since.
  var native: DismissedValue?
  /// The number of the app's badge; `nil` if it was not dismissed, or has changed since.
  var app: Int64?
  /// Style and policy for the badge's return; `nil` if they are the defaults, or the badge is back.
  var keptStyle: Badge?

  /// Whether nothing is left that can hide a badge.
  var isOver: Bool {
    native == nil && app == nil
  }
}

/// A value that was dismissed, source by source.
public struct DismissedValue: Hashable, Sendable {
  /// The value of the unnamed source.
  public internal(set) var unnamed: UnnamedValue
  /// The named sources; others counted 0.
  public internal(set) var sources: [SourceCount]

  /// Makes a value of its sources.
  public init(unnamed: UnnamedValue, sources: [SourceCount] = []) {
    self.unnamed = unnamed
    self.sources = sources
  }

  fileprivate init(of badge: Badge) {
    self.init(unnamed: badge.unnamed, sources: badge.namedSources)
  }

  /// Whether it is the value of a cleared badge.
  var isCleared: Bool {
    unnamed == .number(0) && sources.isEmpty
  }

  func count(of name: SourceName) -> Int64 {
    sources.first { $0.name == name }?.count ?? 0
  }

  /// Adds sources of an earlier dismissal that were not set again since.
  fileprivate func completed(by earlier: DismissedValue?) -> DismissedValue {
    guard let earlier else { return self }
    var result = self
    for source in earlier.sources where count(of: source.name) == 0 {
      result.sources.append(source)
    }
    return result
  }
}

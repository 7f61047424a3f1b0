// SPDX-License-Identifier: MIT

/// The desktop-file ids that are installed, without their suffix, and how to find one.
///
/// A value: it knows nothing of the file system.
public struct DesktopEntryIndex: Sendable {
  /// What a way of writing ids leads to: one id, or several, which is as good as none.
  private enum Target: Equatable, Sendable {
    case one(String)
    case several

    var id: String? {
      guard case .one(let id) = self else { return nil }
      return id
    }
  }

  private var ids: Set<String> = []
  private var byFoldedID: [String: Target] = [:]
  private var bySnapName: [String: Target] = [:]
  private var byFormerID: [String: Target] = [:]

  /// An index of nothing.
  public init() {}

  /// How many ids it holds.
  public var count: Int { ids.count }

  /// Adds an installed id; one that is already there changes nothing.
  public mutating func insert(_ id: String) {
    guard ids.insert(id).inserted else { return }
    let folded = id.lowercased()
    Self.add(id, for: folded, to: &byFoldedID)
    if let underscore = folded.firstIndex(of: "_") {
      let name = folded[folded.index(after: underscore)...]
      if !name.isEmpty { Self.add(id, for: String(name), to: &bySnapName) }
    }
  }

  /// Adds an id that the installed `id` had before (`X-Flatpak-RenamedFrom`).
  public mutating func insert(formerID: String, of id: String) {
    Self.add(id, for: formerID.lowercased(), to: &byFormerID)
  }

  /// Whether `id` is installed under exactly this name, byte for byte.
  public func contains(_ id: String) -> Bool {
    guard let index = ids.firstIndex(of: id) else { return false }
    return ids[index].utf8.elementsEqual(id.utf8)
  }

  /// The installed id that `uri` means, as its file spells it; nil where none does.
  ///
  /// In this order: the same name, the same but for case, the only snap that has an app of this
  /// name (`<snap>_<name>`), the app that says it was called so before.
  public func resolve(_ uri: ApplicationURI) -> String? {
    for candidate in uri.candidates {
      if let index = ids.firstIndex(of: candidate) { return ids[index] }
    }
    let folded = uri.candidates.map { $0.lowercased() }
    for table in [byFoldedID, bySnapName, byFormerID] {
      for name in folded {
        if let id = table[name]?.id { return id }
      }
    }
    return nil
  }

  private static func add(_ id: String, for name: String, to table: inout [String: Target]) {
    let known = table[name]
    if known == nil {
      table[name] = .one(id)
    } else if known != .one(id) {
      table[name] = .several
    }
  }
}

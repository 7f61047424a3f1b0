// SPDX-License-Identifier: MIT
import BadgeCore

/// The tables `source` and `style`, which have rows for the few badges with named sources, or with
/// keys that are not at their defaults.
///
/// It remembers what is in the file, so that saving a record touches these tables only if its part of
/// them has changed.
final class ChildRows {
  /// The part of a record that is in these tables.
  struct Children: Equatable {
    fileprivate(set) var sources: [SourceCount] = []
    fileprivate(set) var dismissedSources: [SourceCount] = []
    fileprivate(set) var settings: [BadgeSetting] = []

    fileprivate init() {}

    init(of record: BadgeRecord) {
      sources = record.native?.sources ?? []
      dismissedSources = record.dismissal?.native?.sources ?? []
      settings = record.settings
    }

    var isEmpty: Bool { sources.isEmpty && dismissedSources.isEmpty && settings.isEmpty }
  }

  /// Compiled on first use: most runs don't need them.
  private struct Statements {
    let insertSource: Statement
    let deleteSources: Statement
    let insertSetting: Statement
    let deleteSettings: Statement

    init(_ database: Database) throws(SQLiteError) {
      insertSource = try database.prepare(
        """
        INSERT INTO source (badge, name, count, dismissed) VALUES (?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET dismissed = excluded.dismissed
        """
      )
      deleteSources = try database.prepare("DELETE FROM source WHERE badge = ?")
      insertSetting = try database.prepare(
        "REPLACE INTO style (badge, key, value) VALUES (?, ?, ?)"
      )
      deleteSettings = try database.prepare("DELETE FROM style WHERE badge = ?")
    }
  }

  private let database: Database
  private var statements: Statements?
  /// What is in the file.
  private var known: [BadgeID: Children] = [:]
  /// Whether an id that is not in `known` has no rows; otherwise that is unknown.
  private var knowsAll = false

  init(_ database: Database) {
    self.database = database
  }

  /// Whether saving a record leaves these tables alone.
  func areUnchanged(by record: BadgeRecord) -> Bool {
    let new = Children(of: record)
    guard let old = known[record.id] else { return knowsAll && new.isEmpty }
    return old == new
  }

  /// Whether an id has no rows here.
  func areNone(of id: BadgeID) -> Bool {
    knowsAll && known[id] == nil
  }

  /// Replaces the rows of a record's id, if they change.
  func save(of record: BadgeRecord) throws(SQLiteError) {
    guard !areUnchanged(by: record) else { return }
    let statements = try prepared()
    let new = Children(of: record)
    let old = known[record.id]
    if old?.sources != new.sources || old?.dismissedSources != new.dismissedSources {
      try statements.deleteSources.run(with: record.id)
      for source in new.sources {
        try statements.insertSource.bind(source.count, at: 2)
        try statements.insertSource.run(with: record.id, source.name.rawValue)
      }
      for source in new.dismissedSources {
        try statements.insertSource.bind(source.count, at: 3)
        try statements.insertSource.run(with: record.id, source.name.rawValue)
      }
    }
    if old?.settings != new.settings {
      try statements.deleteSettings.run(with: record.id)
      for setting in new.settings {
        try statements.insertSetting.bind(setting.text, at: 2)
        try statements.insertSetting.run(with: record.id, setting.key.name)
      }
    }
    known[record.id] = knowsAll && new.isEmpty ? nil : new
  }

  /// Deletes the rows of an id.
  func forget(of id: BadgeID) throws(SQLiteError) {
    guard !areNone(of: id) else { return }
    let statements = try prepared()
    try statements.deleteSources.run(with: id)
    try statements.deleteSettings.run(with: id)
    known[id] = nil
  }

  /// Deletes all rows.
  func forgetAll() throws(SQLiteError) {
    try database.run("DELETE FROM source")
    try database.run("DELETE FROM style")
    didLoad([:], areAll: true)
  }

  /// Must be called when a transaction fails: what is in the file is not known any more.
  func didRollBack() {
    didLoad([:], areAll: false)
  }

  /// Remembers the rows that records were loaded with; `areAll` is false if there are others, of
  /// skipped records or of no badge.
  func didLoad(_ children: [BadgeID: Children], areAll: Bool) {
    known = children
    knowsAll = areAll
  }

  /// Loads all rows.
  ///
  /// - Returns: What is there by id, or what is wrong with a row of that id.
  func load() throws(SQLiteError) -> [BadgeID: Result<Children, RowError>] {
    didRollBack()
    var found: [BadgeID: Result<Children, RowError>] = [:]
    let sources = try database.prepare(
      "SELECT badge, name, count, dismissed FROM source ORDER BY badge, name"
    )
    while try sources.step() {
      found.add(sources) { children throws(RowError) in try children.addSource(in: sources) }
    }
    let settings = try database.prepare("SELECT badge, key, value FROM style ORDER BY badge")
    while try settings.step() {
      found.add(settings) { children throws(RowError) in try children.addSetting(in: settings) }
    }
    return found
  }

  private func prepared() throws(SQLiteError) -> Statements {
    if let statements { return statements }
    let new = try Statements(database)
    statements = new
    return new
  }
}

extension BadgeRecord {
  /// Adds what was found in `source` and `style`.
  mutating func add(_ children: ChildRows.Children) throws(RowError) {
    settings = children.settings.sorted { $0.key.rawValue < $1.key.rawValue }
    if !children.sources.isEmpty {
      guard native != nil else { throw .valueWithoutNative }
      native?.sources = children.sources
    }
    if !children.dismissedSources.isEmpty {
      guard let unnamed = dismissal?.native?.unnamed else { throw .noSource }
      dismissal?.native = DismissedValue(unnamed: unnamed, sources: children.dismissedSources)
    }
  }
}

extension RowError {
  static let valueWithoutNative = RowError("it has a value and is not native")
  fileprivate static let noSource = RowError("it holds a source that is none")
}

extension Statement {
  /// Binds an id, and a name within it, and runs the statement.
  fileprivate func run(with id: BadgeID, _ name: String? = nil) throws(SQLiteError) {
    try bind(id.rawValue, at: 0)
    if let name { try bind(name, at: 1) }
    try run()
  }
}

extension [BadgeID: Result<ChildRows.Children, RowError>] {
  /// Adds a row to those of its id, unless one of these is wrong.
  fileprivate mutating func add(
    _ row: Statement,
    _ body: (inout ChildRows.Children) throws(RowError) -> Void
  ) {
    // Rows of what is no id stay; a record of such an id is skipped too.
    guard let id = try? row.badgeID(at: 0) else { return }
    guard case .success(var children) = self[id] ?? .success(ChildRows.Children()) else { return }
    do throws(RowError) {
      try body(&children)
      self[id] = .success(children)
    } catch {
      self[id] = .failure(error)
    }
  }
}

extension ChildRows.Children {
  fileprivate mutating func addSource(in row: Statement) throws(RowError) {
    guard let text = row.text(at: 1), let name = try? SourceName(text, key: "sources"),
      name.rawValue.utf8.count == text.utf8.count, !row.isNull(at: 2) || !row.isNull(at: 3)
    else { throw .noSource }
    func count(at column: CInt) throws(RowError) -> SourceCount? {
      if row.isNull(at: column) { return nil }
      guard let count = row.integer(at: column), count != 0, BadgeCount.isValid(count) else {
        throw .noSource
      }
      return SourceCount(name: name, count: count)
    }
    if let source = try count(at: 2) { sources.append(source) }
    if let source = try count(at: 3) { dismissedSources.append(source) }
    guard max(sources.count, dismissedSources.count) <= StoreLimits.sources else {
      throw RowError("it has more than \(StoreLimits.sources) sources")
    }
  }

  fileprivate mutating func addSetting(in row: Statement) throws(RowError) {
    guard let key = row.text(at: 1) else { throw row.fault(at: 1) }
    guard let text = row.text(at: 2), let setting = BadgeSetting(name: key, text: text) else {
      // A damaged key may be part of a text, which the log must not show. The migration keeps what it
      // cannot read of version 1 under the name of its column.
      let isKnown = key == "details" || BadgeKey.allCases.contains { $0.name == key }
      throw RowError(isKnown ? "its '\(key)' is not possible" : "it has a key that does not exist")
    }
    settings.append(setting)
  }
}

// SPDX-License-Identifier: MIT
import BadgeCore

/// The tables of a file, with their prepared statements.
final class Tables {
  let badges: BadgeRows
  let settings: SettingRows
  let senders: SenderRows
  private let transaction: Transaction

  init(_ database: Database) throws(SQLiteError) {
    badges = try BadgeRows(database)
    settings = SettingRows(database)
    senders = try SenderRows(database)
    transaction = try Transaction(database)
  }

  /// Runs `body` in a transaction, unless it is a single statement, which is atomic by itself.
  func change(
    inOneStatement isOneStatement: Bool,
    _ body: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    do {
      try isOneStatement ? body() : transaction.run(body)
    } catch {
      badges.didRollBack()
      settings.didRollBack()
      throw error
    }
  }
}

/// The table `setting`.
final class SettingRows {
  private enum Value: Hashable {
    case integer(Int64)
    case text(String)
  }

  private let database: Database
  /// What is in the file, if that is known.
  private var saved: StoredSettings?

  init(_ database: Database) {
    self.database = database
  }

  /// Whether saving these would change anything.
  func differ(from settings: StoredSettings) -> Bool {
    settings != saved
  }

  /// Writes what differs from what is in the file.
  func save(_ settings: StoredSettings) throws(SQLiteError) {
    let old = saved.map { Self.rows(of: $0) }
    let statement = try database.prepare("REPLACE INTO setting (name, value) VALUES (?, ?)")
    for (index, row) in Self.rows(of: settings).enumerated() where old?[index].value != row.value {
      try statement.bind(row.name, at: 0)
      switch row.value {
      case .integer(let number): try statement.bind(number, at: 1)
      case .text(let text): try statement.bind(text, at: 1)
      }
      try statement.run()
    }
    saved = settings
  }

  /// Must be called when a transaction fails: what is in the file is not known any more.
  func didRollBack() {
    saved = nil
  }

  /// Loads all settings, and reports the rows it skips.
  func load(into state: inout StoredState) throws(SQLiteError) {
    let statement = try database.prepare("SELECT name, value FROM setting")
    while try statement.step() {
      let name = statement.text(at: 0)
      let value: Value? =
        statement.integer(at: 1).map { .integer($0) } ?? statement.text(at: 1).map { .text($0) }
      guard let name, Self.set(name, to: value, in: &state.settings) else {
        state.reject(name, of: "setting", because: "its value is not possible")
        continue
      }
    }
    saved = state.settings
  }

  private static func rows(of settings: StoredSettings) -> [(name: String, value: Value)] {
    [
      ("animations", .integer(settings.animations ? 1 : 0)),
      ("quiet", .integer(settings.quiet ? 1 : 0)),
      ("quiet-until", .integer(Int64(clamping: settings.quietUntil))),
      ("boot", .text(settings.bootID)),
      ("boot-epoch", .integer(settings.bootEpoch)),
    ]
  }

  /// Sets what a row holds; ignores unknown names.
  ///
  /// - Returns: Whether the value is valid.
  private static func set(
    _ name: String,
    to value: Value?,
    in settings: inout StoredSettings
  ) -> Bool {
    switch (name, value) {
    case ("animations", .integer(let number)) where 0...1 ~= number:
      settings.animations = number == 1
    case ("quiet", .integer(let number)) where 0...1 ~= number: settings.quiet = number == 1
    case ("quiet-until", .integer(let number)) where number >= 0:
      settings.quietUntil = UInt64(number)
    case ("boot", .text(let text)) where text.utf8.count <= 64: settings.bootID = text
    case ("boot-epoch", .integer(let number)): settings.bootEpoch = number
    case ("animations", _), ("quiet", _), ("quiet-until", _), ("boot", _), ("boot-epoch", _):
      return false
    default: break
    }
    return true
  }
}

/// The table `sender`: a row per sender and app.
final class SenderRows {
  /// The columns, in the order of the statements.
  private enum Column {
    static let bus: CInt = 0
    static let sender: CInt = 1
    static let app: CInt = 2
    static let ordinal: CInt = 3
    static let count: CInt = 4
    static let countVisible: CInt = 5
    static let progress: CInt = 6
    static let progressVisible: CInt = 7
    static let urgent: CInt = 8
  }

  private let database: Database
  private let replace: Statement

  init(_ database: Database) throws(SQLiteError) {
    self.database = database
    replace = try database.prepare("REPLACE INTO sender VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
  }

  /// Replaces the record of a sender and app.
  func save(_ record: SenderRecord) throws(SQLiteError) {
    try replace.bind(record.bus, at: Column.bus)
    try replace.bind(record.sender, at: Column.sender)
    try replace.bind(record.app.rawValue, at: Column.app)
    try replace.bind(record.ordinal, at: Column.ordinal)
    try replace.bind(record.announcement.count, at: Column.count)
    try replace.bind(record.announcement.isCountVisible, at: Column.countVisible)
    try replace.bind(record.announcement.progress, at: Column.progress)
    try replace.bind(record.announcement.isProgressVisible, at: Column.progressVisible)
    try replace.bind(record.announcement.isUrgent, at: Column.urgent)
    try replace.run()
  }

  /// Deletes the record of a sender and app.
  func forget(_ record: SenderRecord) throws(SQLiteError) {
    let statement = try database.prepare(
      "DELETE FROM sender WHERE bus = ? AND sender = ? AND app = ?"
    )
    try statement.bind(record.bus, at: 0)
    try statement.bind(record.sender, at: 1)
    try statement.bind(record.app.rawValue, at: 2)
    try statement.run()
  }

  /// Deletes all records.
  func forgetAll() throws(SQLiteError) {
    try database.run("DELETE FROM sender")
  }

  /// Deletes the records of all buses but one.
  func forgetAll(exceptOn bus: String) throws(SQLiteError) {
    let statement = try database.prepare("DELETE FROM sender WHERE bus <> ?")
    try statement.bind(bus, at: 0)
    try statement.run()
  }

  /// Loads the records of a bus in the order of their announcements, and reports those it skips.
  func load(bus: String, into state: inout StoredState) throws(SQLiteError) {
    let rows = try database.prepare(
      """
      SELECT bus, sender, app, ordinal, count, count_visible, progress, progress_visible, urgent
        FROM sender WHERE bus = ? ORDER BY ordinal, sender, app
      """
    )
    try rows.bind(bus, at: 0)
    while try rows.step() {
      guard state.senders.count < StoreLimits.senders else {
        return state.rejectRest(of: "sender", after: StoreLimits.senders)
      }
      do throws(RowError) {
        state.senders.append(try Self.record(in: rows, bus: bus))
      } catch {
        state.reject(rows.text(at: Column.app), of: "sender", because: error.reason)
      }
    }
  }

  private static func record(in row: Statement, bus: String) throws(RowError) -> SenderRecord {
    let app = try row.badgeID(at: Column.app)
    guard let sender = row.text(at: Column.sender), let ordinal = row.integer(at: Column.ordinal)
    else { throw RowError("sender or ordinal is missing") }
    var record = SenderRecord(bus: bus, sender: sender, app: app, ordinal: ordinal)
    var announcement = AppAnnouncement()
    announcement.count = try row.optional(Statement.integer, at: Column.count)
    announcement.isCountVisible = try row.optional(Statement.flag, at: Column.countVisible)
    if let progress = try row.optional(Statement.double, at: Column.progress) {
      guard progress.isFinite else { throw row.fault(at: Column.progress) }
      announcement.setProgress(progress)
    }
    announcement.isProgressVisible = try row.optional(Statement.flag, at: Column.progressVisible)
    announcement.isUrgent = try row.optional(Statement.flag, at: Column.urgent)
    record.announcement = announcement
    return record
  }
}

/// Why this program can't have written a row.
struct RowError: Error, Hashable {
  /// For a log.
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

extension Statement {
  /// The error for an impossible value in a column.
  func fault(at column: CInt) -> RowError {
    RowError("its '\(name(at: column))' is not possible")
  }

  /// Reads a column that may be NULL.
  ///
  /// - Throws: If it holds anything that `read` does not take.
  func optional<Value>(
    _ read: (Statement) -> (CInt) -> Value?,
    at column: CInt
  ) throws(RowError) -> Value? {
    if isNull(at: column) { return nil }
    guard let value = read(self)(column) else { throw fault(at: column) }
    return value
  }

  /// Reads an id in its canonical spelling.
  func badgeID(at column: CInt) throws(RowError) -> BadgeID {
    guard let text = text(at: column) else { throw RowError("its id is not a text") }
    // Canonicalizing only ever shortens an id.
    guard let id = try? BadgeID(text), id.rawValue.utf8.count == text.utf8.count else {
      throw RowError("its id is not a badge's id")
    }
    return id
  }
}

extension StoredState {
  /// Reports a skipped row.
  mutating func reject(_ key: String?, of table: String, because reason: String) {
    guard rejected.count < StoreLimits.namedRejections else {
      if rejected.count == StoreLimits.namedRejections { rejected.append("and more") }
      return
    }
    // Quoted and shortened, since the row may hold anything.
    let name = key.map { PropertyValue.string($0).description } ?? "?"
    rejected.append("\(table) \(name): \(reason)")
  }

  /// Reports that a table has more rows than are loaded.
  mutating func rejectRest(of table: String, after count: Int) {
    rejected.append("\(table): more than \(count) rows")
  }
}

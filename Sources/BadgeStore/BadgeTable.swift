// SPDX-License-Identifier: MIT
import BadgeCore

/// The table of badges, and of what is remembered of ids that have none: a row for each id.
///
/// The columns are the id; ``BadgeFlags``; the unnamed source, where the badge is native: an
/// integer, a text, or NULL for a dot; and two texts, NULL for most, as ``BadgeDetails`` says.
final class BadgeTable {
  private let database: Database
  private let replace: Statement
  private let delete: Statement

  init(_ database: Database) throws(SQLiteError) {
    self.database = database
    replace = try database.prepare(
      "REPLACE INTO badge (id, flags, value, sources, details) VALUES (?1, ?2, ?3, ?4, ?5)"
    )
    delete = try database.prepare("DELETE FROM badge WHERE id = ?1")
  }

  /// Ends the statements.
  func finalize() {
    replace.finalize()
    delete.finalize()
  }

  /// Writes the row of an id.
  func save(_ record: BadgeRecord) throws(SQLiteError) {
    try replace.bind(record.id.rawValue, at: 1)
    if let native = record.native {
      var flags = BadgeFlags.native
      if native.isPlaceholder { flags.insert(.placeholder) }
      if native.isUrgent { flags.insert(.urgent) }
      if native.isDismissed { flags.insert(.dismissed) }
      try replace.bind(flags.rawValue, at: 2)
      switch native.unnamed {
      case .number(let number): try replace.bind(number, at: 3)
      case .text(let text): try replace.bind(text.rawValue, at: 3)
      case .dot: break
      }
      let sources = BadgeDetails.sources(of: record)
      if !sources.isEmpty { try replace.bind(utf8: sources, at: 4) }
    } else {
      try replace.bind(0 as Int64, at: 2)
    }
    let details = BadgeDetails.details(of: record)
    if !details.isEmpty { try replace.bind(utf8: details, at: 5) }
    try replace.run()
  }

  /// Removes the row of an id.
  func forget(_ id: BadgeID) throws(SQLiteError) {
    try delete.bind(id.rawValue, at: 1)
    try delete.run()
  }

  /// Removes all rows.
  func forgetAll() throws(SQLiteError) {
    try database.run("DELETE FROM badge")
  }

  /// Reads all rows, in the order of their ids' bytes, and reports what can't be read.
  func load(into state: inout StoredState) throws(SQLiteError) {
    let statement = try database.prepare(
      "SELECT id, flags, value, sources, details FROM badge ORDER BY id"
    )
    while try statement.step() {
      guard state.badges.count < StoreLimits.badges else {
        return state.rejectRest(of: "badge", after: StoreLimits.badges)
      }
      do throws(RowError) {
        state.badges.append(try record(in: statement))
      } catch {
        state.reject(statement.text(at: 0), of: "badge", because: error.reason)
      }
    }
  }

  private func record(in row: Statement) throws(RowError) -> BadgeRecord {
    var record = BadgeRecord(id: try RowError.id(row.text(at: 0)))
    guard let number = row.integer(at: 1), BadgeFlags.all.isSuperset(of: .init(rawValue: number))
    else { throw RowError("its flags are not possible") }
    let flags = BadgeFlags(rawValue: number)
    if flags.contains(.native) {
      var native = BadgeRecord.Native(unnamed: try unnamed(in: row))
      native.isPlaceholder = flags.contains(.placeholder)
      native.isUrgent = flags.contains(.urgent)
      native.isDismissed = flags.contains(.dismissed)
      if let sources = try row.optional(at: 3, { $0.text(at: $1) }) {
        native.sources = try BadgeDetails.parse(sources: sources)
      }
      record.native = native
    } else if flags != [] || row.kind(at: 2) != .null || row.kind(at: 3) != .null {
      throw RowError("it has a value and is not native")
    }
    if let details = try row.optional(at: 4, { $0.text(at: $1) }) {
      try BadgeDetails.parse(details: details, into: &record)
    }
    return record
  }

  private func unnamed(in row: Statement) throws(RowError) -> UnnamedValue {
    switch row.kind(at: 2) {
    case .null: return .dot
    case .integer:
      if let number = row.integer(at: 2), BadgeCount.isValid(number) { return .number(number) }
    case .text:
      if let text = row.text(at: 2), let unnamed = BadgeDetails.text(text) { return unnamed }
    case .double, .blob: break
    }
    throw RowError("its value is not possible")
  }
}

// SPDX-License-Identifier: MIT
import BadgeCore

/// The table of what senders on the bus have announced: a row for each sender and app.
final class SenderTable {
  private let database: Database
  private let replace: Statement

  init(_ database: Database) throws(SQLiteError) {
    self.database = database
    replace = try database.prepare(
      """
      REPLACE INTO sender
        (bus, sender, app, ordinal, count, count_visible, progress, progress_visible, urgent)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """
    )
  }

  /// Ends the statements.
  func finalize() {
    replace.finalize()
  }

  /// Writes a row.
  func save(_ record: SenderRecord) throws(SQLiteError) {
    try replace.bind(record.bus, at: 1)
    try replace.bind(record.sender, at: 2)
    try replace.bind(record.app.rawValue, at: 3)
    try replace.bind(record.ordinal, at: 4)
    if let count = record.count { try replace.bind(count, at: 5) }
    if let flag = record.countVisible { try replace.bind(flag, at: 6) }
    if let progress = record.progress { try replace.bind(progress, at: 7) }
    if let flag = record.progressVisible { try replace.bind(flag, at: 8) }
    if let flag = record.urgent { try replace.bind(flag, at: 9) }
    try replace.run()
  }

  /// Removes a row.
  func forget(_ record: SenderRecord) throws(SQLiteError) {
    let statement = try database.prepare(
      "DELETE FROM sender WHERE bus = ?1 AND sender = ?2 AND app = ?3"
    )
    try statement.bind(record.bus, at: 1)
    try statement.bind(record.sender, at: 2)
    try statement.bind(record.app.rawValue, at: 3)
    try statement.run()
  }

  /// Removes all rows.
  func forgetAll() throws(SQLiteError) {
    try database.run("DELETE FROM sender")
  }

  /// Removes the rows of all buses but one.
  func forgetAll(exceptOn bus: String) throws(SQLiteError) {
    let statement = try database.prepare("DELETE FROM sender WHERE bus <> ?1")
    try statement.bind(bus, at: 1)
    try statement.run()
  }

  /// Reads the rows of one bus in the order of their announcements, and reports what can't be read.
  func load(bus: String, into state: inout StoredState) throws(SQLiteError) {
    let statement = try database.prepare(
      """
      SELECT app, sender, ordinal, count, count_visible, progress, progress_visible, urgent
        FROM sender WHERE bus = ?1 ORDER BY ordinal, sender, app
      """
    )
    try statement.bind(bus, at: 1)
    while try statement.step() {
      guard state.senders.count < StoreLimits.senders else {
        return state.rejectRest(of: "sender", after: StoreLimits.senders)
      }
      do throws(RowError) {
        state.senders.append(try record(in: statement, bus: bus))
      } catch {
        state.reject(statement.text(at: 0), of: "sender", because: error.reason)
      }
    }
  }

  private func record(in row: Statement, bus: String) throws(RowError) -> SenderRecord {
    let app = try RowError.id(row.text(at: 0))
    guard let sender = row.text(at: 1), let ordinal = row.integer(at: 2) else {
      throw RowError("sender or ordinal is missing")
    }
    var record = SenderRecord(bus: bus, sender: sender, app: app, ordinal: ordinal)
    record.count = try row.optional(at: 3) { $0.integer(at: $1) }
    record.countVisible = try row.optional(at: 4) { $0.flag(at: $1) }
    record.progress = try row.optional(at: 5) { $0.finite(at: $1) }
    record.progressVisible = try row.optional(at: 6) { $0.flag(at: $1) }
    record.urgent = try row.optional(at: 7) { $0.flag(at: $1) }
    return record
  }
}

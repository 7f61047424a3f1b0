// SPDX-License-Identifier: MIT

/// The tables of a file, with the statements that are kept ready for them.
final class Tables {
  let transaction: Transaction
  let badges: BadgeTable
  let settings: SettingTable
  let senders: SenderTable

  init(_ database: Database) throws(SQLiteError) {
    transaction = try Transaction(database)
    badges = try BadgeTable(database)
    settings = SettingTable(database)
    senders = try SenderTable(database)
  }

  /// Ends the statements, so that the database can be closed.
  func finalize() {
    transaction.finalize()
    badges.finalize()
    senders.finalize()
  }
}

// SPDX-License-Identifier: MIT

/// The table of settings: a row each.
final class SettingTable {
  private let database: Database
  private var saved: StoredSettings?

  init(_ database: Database) {
    self.database = database
  }

  /// Whether saving these would change anything.
  func differs(from settings: StoredSettings) -> Bool {
    settings != saved
  }

  /// Tells that what was written is in the file.
  func didSave(_ settings: StoredSettings) {
    saved = settings
  }

  /// Writes what differs from what is in the file.
  func save(_ settings: StoredSettings) throws(SQLiteError) {
    let present = saved?.rows
    let statement = try database.prepare("REPLACE INTO setting (name, value) VALUES (?1, ?2)")
    for (index, row) in settings.rows.enumerated()
    where present == nil || present?[index].value != row.value {
      try statement.bind(row.name, at: 1)
      switch row.value {
      case .integer(let number): try statement.bind(number, at: 2)
      case .text(let text): try statement.bind(text, at: 2)
      }
      try statement.run()
    }
  }

  /// Reads all, and reports what can't be.
  func load(into state: inout StoredState) throws(SQLiteError) {
    let statement = try database.prepare("SELECT name, value FROM setting")
    while try statement.step() {
      let value: StoredValue? =
        statement.integer(at: 1).map { .integer($0) } ?? statement.text(at: 1).map { .text($0) }
      guard let name = statement.text(at: 0), state.settings.take(name: name, value: value) else {
        state.reject(statement.text(at: 0), of: "setting", because: "its value is not possible")
        continue
      }
    }
    saved = state.settings
  }
}

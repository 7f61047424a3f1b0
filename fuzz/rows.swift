// SPDX-License-Identifier: MIT
// Rows of an edited state file: each is loaded or skipped, and what is loaded is saved as it was.
import BadgeCore

@testable import BadgeStore

enum RowsTarget: FuzzTarget {
  static func run(_ input: inout FuzzInput) {
    do {
      let database = try Database(path: ":memory:")
      try Schema.migrate(database, from: 0)
      let badge = try database.prepare(
        "REPLACE INTO badge VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
      )
      let source = try database.prepare("REPLACE INTO source VALUES (?, ?, ?, ?)")
      let style = try database.prepare("REPLACE INTO style VALUES (?, ?, ?)")
      let setting = try database.prepare("REPLACE INTO setting VALUES (?, ?)")
      let sender = try database.prepare(
        "REPLACE INTO sender VALUES ('b', ?, ?, ?, ?, ?, ?, ?, ?)"
      )
      while !input.isEmpty {
        switch input.byte() % 8 {
        case 0:
          try setting.bind(input.choice(of: settings), at: 0)
          try bind(&input, to: setting, at: 1)
          try setting.run()
        case 1:
          try sender.bind(":1.\(input.byte() % 4)", at: 0)
          for column in 1...7 as ClosedRange<CInt> { try bind(&input, to: sender, at: column) }
          // Some columns must not be NULL.
          try? sender.run()
        case 2, 3:
          try source.bind(input.choice(of: ids), at: 0)
          try source.bind(input.text(), at: 1)
          for column in 2...3 as ClosedRange<CInt> { try bind(&input, to: source, at: column) }
          try source.run()
        case 4, 5:
          try style.bind(input.choice(of: ids), at: 0)
          try style.bind(input.choice(of: keys), at: 1)
          try style.bind(
            input.byte() % 3 == 0 ? input.text() : input.choice(of: values),
            at: 2
          )
          try style.run()
        default:
          try badge.bind(input.byte() % 4 == 0 ? input.text() : input.choice(of: ids), at: 0)
          try badge.bind(Int64(input.byte()), at: 1)
          for column in 2...11 as ClosedRange<CInt> { try bind(&input, to: badge, at: column) }
          try badge.run()
        }
      }
      try check(database)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  private static func bind(
    _ input: inout FuzzInput,
    to statement: Statement,
    at column: CInt
  ) throws(SQLiteError) {
    switch input.byte() % 5 {
    case 0: break
    case 1: try statement.bind(input.signed(), at: column)
    case 2: try statement.bind(Double(bitPattern: input.integer()), at: column)
    case 3: try statement.bind(Int64(input.byte() % 3), at: column)
    default: try statement.bind(input.text(), at: column)
    }
  }

  /// What is loaded is saved as it was, and a book of it too.
  private static func check(_ database: Database) throws(SQLiteError) {
    let badges = try BadgeRows(database)
    var found = StoredState()
    try SettingRows(database).load(into: &found)
    try badges.load(into: &found)
    try SenderRows(database).load(bus: "b", into: &found)
    let book = BadgeBook(records: found.badges)
    BookCheck.run(book)
    let kept = book.recordedIDs.sorted().compactMap { book.record(for: $0) }
    for records in [found.badges, kept] {
      try badges.forgetAll()
      for record in records { try badges.save(record) }
      var again = StoredState()
      try badges.load(into: &again)
      precondition(again.badges == records && again.rejected.isEmpty, "\(again.rejected)")
    }
  }

  private static let settings = ["animations", "quiet", "quiet-until", "boot", "boot-epoch", "x"]
  private static let ids = ["mail", "chat", "a/b", "e\u{301}"]
  private static let keys = BadgeKey.allCases.map(\.name)
  private static let values = [
    "true", "false", "0", "0.5", "-1", "new", "#FF0000", "none", "center",
  ]
}

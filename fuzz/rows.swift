// SPDX-License-Identifier: MIT
// Rows of a state file that somebody edited: read or left out, and what is read is written as it was.
import BadgeCore

@testable import BadgeStore

enum RowsTarget: FuzzTarget {
  static func run(_ input: inout FuzzInput) {
    do {
      let database = try Database(path: ":memory:")
      try Schema.migrate(database, from: 0)
      let badge = try database.prepare("REPLACE INTO badge VALUES (?1, ?2, ?3, ?4, ?5)")
      let setting = try database.prepare("REPLACE INTO setting VALUES (?1, ?2)")
      let sender = try database.prepare(
        "REPLACE INTO sender VALUES ('b', ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
      )
      while !input.isEmpty {
        switch input.byte() % 8 {
        case 0:
          try setting.bind(input.choice(of: settings), at: 1)
          try bind(&input, to: setting, at: 2)
          try setting.run()
        case 1:
          try sender.bind(":1.\(input.byte() % 4)", at: 1)
          for column in 2...8 as ClosedRange<CInt> { try bind(&input, to: sender, at: column) }
          // A column that may not be NULL is.
          try? sender.run()
        default: try insert(&input, badge)
        }
      }
      try check(database)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  private static func insert(_ input: inout FuzzInput, _ statement: Statement) throws(SQLiteError) {
    try statement.bind(utf8: input.piece(), at: 1)
    try statement.bind(Int64(input.byte() % 20), at: 2)
    try bind(&input, to: statement, at: 3)
    if input.byte() & 1 == 1 { try statement.bind(utf8: lines(&input, counts), at: 4) }
    if input.byte() & 1 == 1 { try statement.bind(utf8: lines(&input, details), at: 5) }
    try statement.run()
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
    default: try statement.bind(utf8: input.piece(), at: column)
    }
  }

  /// What is read is written as it was, and a book of it too.
  private static func check(_ database: Database) throws(SQLiteError) {
    let table = try BadgeTable(database)
    var found = StoredState()
    try SettingTable(database).load(into: &found)
    try table.load(into: &found)
    try SenderTable(database).load(bus: "b", into: &found)
    let book = BadgeBook(records: found.badges)
    BookCheck.run(book)
    let kept = book.recordedIDs.sorted().compactMap { book.record(for: $0) }
    for records in [found.badges, kept] {
      try table.forgetAll()
      for record in records { try table.save(record) }
      var again = StoredState()
      try table.load(into: &again)
      precondition(again.badges == records && again.rejected.isEmpty, "\(again.rejected)")
    }
  }

  private static let settings = ["animations", "quiet", "quiet-until", "boot", "boot-epoch", "x"]
  private static let counts = ["1", "-1", "9007199254740991", "0"]
  private static let details =
    [
      "progress", "deadline", "owner", "kept", "dismissal", "dismissed-unnamed", "dismissed-source",
      "dismissed-app", "app", "app-progress",
    ] + BadgeKey.allCases.map(\.name)
  private static let values = [
    "true", "false", "0", "0.5", "-1", "number 5", "text new", "dot", "2 home", "true false",
    "42 17", "#FF0000", "none", "center",
  ]

  /// Lines with likely names and values, and a piece of anything now and then.
  private static func lines(_ input: inout FuzzInput, _ names: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<input.byte() % 8 {
      bytes += input.byte() % 8 == 0 ? input.piece() : Array(input.choice(of: names).utf8)
      bytes.append(UInt8(ascii: "="))
      bytes += input.byte() % 3 == 0 ? input.piece() : Array(input.choice(of: values).utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }
}

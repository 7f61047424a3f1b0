// SPDX-License-Identifier: MIT
import CSQLite
import Testing

@testable import BadgeStore

@Suite struct DatabaseTests {
  @Test func aPrimaryCodeMatchesItsExtendedCodesAndNotTheOtherWayRound() {
    let write = SQLiteCode(rawValue: SQLITE_IOERR | (3 << 8))
    #expect(SQLiteCode.inputOutput ~= write)
    #expect(!(write ~= SQLiteCode.inputOutput))
    #expect(write ~= write)
    #expect(!(SQLiteCode.full ~= write))
  }

  @Test func valuesComeBackAsTheyWereBound() throws {
    let scratch = Scratch()
    let database = try Database(path: scratch.path + "/t.db")
    try database.run("CREATE TABLE t (a, b)")
    let insert = try database.prepare("INSERT INTO t VALUES (?1, ?2)")
    let long = String(repeating: "ü€😀", count: 3000)
    for text in ["", "x", "exactly fifteen", "e\u{301}", "\u{e9}", long] {
      try insert.bind(text, at: 0)
      try insert.bind(text, at: 1)
      try insert.run()
    }
    try insert.bind(Int64.min, at: 0)
    try insert.bind(-0.5, at: 1)
    try insert.run()
    try insert.bind(true, at: 0)
    try insert.run()

    let select = try database.prepare("SELECT a, b FROM t ORDER BY rowid")
    for text in ["", "x", "exactly fifteen", "e\u{301}", "\u{e9}", long] {
      #expect(try select.step())
      // Swift calls the two forms of é equal; the bytes are not.
      #expect(select.text(at: 0).map { Array($0.utf8) } == Array(text.utf8))
      #expect(select.text(at: 1).map { Array($0.utf8) } == Array(text.utf8))
      #expect(select.integer(at: 0) == nil)
    }
    #expect(try select.step())
    #expect(select.integer(at: 0) == .min)
    #expect(select.double(at: 1) == -0.5)
    #expect(select.text(at: 0) == nil)
    #expect(try select.step())
    #expect(select.flag(at: 0) == true)
    #expect(select.isNull(at: 1))
    #expect(try !select.step())
  }

  @Test func bytesThatAreNotTextReadAsNil() throws {
    let scratch = Scratch()
    let database = try Database(path: scratch.path + "/t.db")
    let select = try database.prepare(
      "SELECT CAST(x'c328' AS TEXT), x'6162', 2, 'a' || char(0) || 'b'"
    )
    #expect(try select.step())
    #expect(!select.isNull(at: 0))
    #expect(select.text(at: 0) == nil)
    #expect(select.text(at: 1) == nil)
    #expect(select.flag(at: 2) == nil)
    #expect(select.text(at: 3) == nil)
  }

  @Test func anErrorNamesTheOperationAndTheReason() throws {
    let scratch = Scratch()
    let database = try Database(path: scratch.path + "/t.db")
    let error = #expect(throws: SQLiteError.self) { try database.prepare("SELECT * FROM missing") }
    #expect(error?.description == "prepare: no such table: missing (1)")
    #expect(throws: SQLiteError.self) { try Database(path: scratch.path + "/no/such/directory") }
  }

  @Test func aStatementIsUsableAgainAfterAFailure() throws {
    let scratch = Scratch()
    let database = try Database(path: scratch.path + "/t.db")
    try database.run("CREATE TABLE t (a INTEGER PRIMARY KEY) WITHOUT ROWID")
    let insert = try database.prepare("INSERT INTO t VALUES (?1)")
    try insert.bind(1 as Int64, at: 0)
    try insert.run()
    try insert.bind(1 as Int64, at: 0)
    let error = #expect(throws: SQLiteError.self) { try insert.run() }
    #expect(error?.code.primary == .constraint)
    try insert.bind(2 as Int64, at: 0)
    try insert.run()
    #expect(try database.integer("SELECT count(*) FROM t") == 2)
    #expect(throws: SQLiteError.self) { try insert.bind(1 as Int64, at: 7) }
  }

  @Test func whatIsClosedFailsAndDoesNotTrap() throws {
    let scratch = Scratch()
    let database = try Database(path: scratch.path + "/t.db")
    let statement = try database.prepare("SELECT 1")
    #expect(throws: SQLiteError.self) { try database.close() }
    #expect(throws: SQLiteError.self) { try statement.bind("x", at: 0) }
    #expect(throws: SQLiteError.self) { try database.run("SELECT 1") }
    #expect(throws: SQLiteError.self) { try database.checkpoint() }
    #expect(throws: SQLiteError.self) { try database.syncLog() }
    #expect(throws: SQLiteError.self) { try database.beginWriting() }
    #expect(database.isReadOnly)
    #expect(database.isAutocommit)
    statement.reset()
  }
}

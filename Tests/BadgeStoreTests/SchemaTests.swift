// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import BadgeStore

@Suite struct SchemaTests {
  /// A file made by statements of the test's.
  private func make(_ path: String, _ statements: [StaticString]) throws {
    let database = try Database(path: path)
    for statement in statements {
      try database.run(statement)
    }
    try database.close()
  }

  @Test func aNewFileHasThePresentVersion() throws {
    let scratch = Scratch()
    let store = try BadgeStore.open(scratch.state)
    #expect(store.setAside == nil)
    #expect(try store.database.integer("PRAGMA user_version") == Schema.version)
    #expect(try store.database.integer("PRAGMA application_id") == Schema.applicationID)
    #expect(try store.database.text("PRAGMA journal_mode") == "wal")
    #expect(try store.database.integer("PRAGMA page_size") == 1024)
    try store.close()
  }

  @Test func aNewerFileIsRefusedAndLeftAsItIs() throws {
    let scratch = Scratch()
    try BadgeStore.open(scratch.state).close()
    try make(
      scratch.state.databasePath,
      ["PRAGMA user_version = 99", "CREATE TABLE later (x)", "INSERT INTO later VALUES (1)"]
    )
    let before = Scratch.bytes(of: scratch.state.databasePath)
    let error = #expect(throws: StoreError.self) { try BadgeStore.open(scratch.state) }
    #expect(
      error
        == .newerVersion(
          path: scratch.state.databasePath,
          found: 99,
          known: Schema.version
        )
    )
    #expect(error?.refusesStart == true)
    #expect(error?.description.contains("left untouched") == true)
    #expect(Scratch.bytes(of: scratch.state.databasePath) == before)
    #expect(Scratch.names(in: scratch.state.path).contains("badges.db"))
  }

  @Test func aNewerFileWhoseLogWasNotEmptiedIsLeftAsItIs() async throws {
    let scratch = Scratch()
    try BadgeStore.open(scratch.state).close()
    let path = scratch.state.databasePath
    await #expect(processExitsWith: .signal(9)) { [path = path as String] in
      let database = try Database(path: path)
      try database.run("PRAGMA user_version = 3000")
      try database.run("CREATE TABLE later (x)")
      kill(getpid(), SIGKILL)
    }
    let before = [Scratch.bytes(of: path), Scratch.bytes(of: path + "-wal")]
    #expect(!before[1].isEmpty)
    let error = #expect(throws: StoreError.self) { try BadgeStore.open(scratch.state) }
    #expect(error == .newerVersion(path: path, found: 3000, known: Schema.version))
    #expect([Scratch.bytes(of: path), Scratch.bytes(of: path + "-wal")] == before)
  }

  @Test func aFileThatIsNotOursIsKeptAside() throws {
    let scratch = Scratch()
    try scratch.state.prepare()
    try make(scratch.state.databasePath, ["CREATE TABLE recipe (name)"])
    let store = try BadgeStore.open(scratch.state)
    let aside = try #require(store.setAside)
    #expect(aside.reason == "not a file of badged")
    try store.close()
    let database = try Database(path: aside.path)
    #expect(try database.integer("SELECT count(*) FROM recipe") == 0)
  }

  @Test func aFileWithoutOneOfItsTablesIsKeptAside() throws {
    let scratch = Scratch()
    try BadgeStore.open(scratch.state).close()
    try make(scratch.state.databasePath, ["DROP TABLE sender"])
    let store = try BadgeStore.open(scratch.state)
    #expect(store.setAside?.reason.contains("no such table: sender") == true)
    try store.close()
  }

  @Test func noMigrationLeavesTheVersionBehind() throws {
    let scratch = Scratch()
    for version in 1...Schema.migrations.count {
      let database = try Database(path: "\(scratch.path)/\(version).db")
      for statement in Schema.migrations[..<version].joined() {
        try database.run(statement)
      }
      #expect(try database.integer("PRAGMA user_version") == Int64(version))
    }
  }
}

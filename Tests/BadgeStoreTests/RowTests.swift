// SPDX-License-Identifier: MIT
import BadgeCore
import Testing

@testable import BadgeStore

/// Rows that this program never writes: somebody edited the file.
@Suite struct RowTests {
  /// What a store loads whose file was changed by statements.
  private func load(after statements: [StaticString]) throws -> StoredState {
    let scratch = Scratch()
    let store = try BadgeStore.open(scratch.state)
    var good = BadgeRecord(id: try BadgeID("good"))
    good.native = BadgeRecord.Native(unnamed: .number(1))
    try store.save(StoreChanges(good))
    for statement in statements {
      try store.database.run(statement)
    }
    let state = try store.load(bus: "b")
    #expect(state.badges.contains(good))
    try store.close()
    return state
  }

  @Test(
    arguments: [
      ("INSERT INTO badge (id, flags, value) VALUES ('', 1, 5)", "its id is not a badge's id"),
      ("INSERT INTO badge (id, flags, value) VALUES ('a/b', 1, 5)", "its id is not a badge's id"),
      (
        "INSERT INTO badge (id, flags, value) VALUES ('x.desktop', 1, 5)",
        "its id is not a badge's id"
      ),
      ("INSERT INTO badge (id, flags, value) VALUES (' x', 1, 5)", "its id is not a badge's id"),
      ("INSERT INTO badge (id, flags, value) VALUES (x'41ff', 1, 5)", "its id is not a text"),
      (
        "INSERT INTO badge (id, flags, value) VALUES (CAST(x'41ff' AS TEXT), 1, 5)",
        "its id is not a text"
      ),
      (
        "INSERT INTO badge (id, flags, value) VALUES ('x', 'many', 5)", "its flags are not possible"
      ),
      ("INSERT INTO badge (id, flags, value) VALUES ('x', -1, 5)", "its flags are not possible"),
      ("INSERT INTO badge (id, flags, value) VALUES ('x', 64, 5)", "its flags are not possible"),
      ("INSERT INTO badge (id, flags, value) VALUES ('x', 256, 5)", "its flags are not possible"),
      ("INSERT INTO badge (id, flags, value) VALUES ('x', 1, 5.5)", "its value is not possible"),
      ("INSERT INTO badge (id, flags, value) VALUES ('x', 1, x'00')", "its value is not possible"),
      (
        "INSERT INTO badge (id, flags, value) VALUES ('x', 1, 9007199254740992)",
        "its value is not possible"
      ),
      ("INSERT INTO badge (id, flags, value) VALUES ('x', 1, '')", "its value is not possible"),
      ("INSERT INTO badge (id, flags, value) VALUES ('x', 1, '12')", "its value is not possible"),
      (
        "INSERT INTO badge (id, flags, value) VALUES ('x', 1, 'a' || char(10))",
        "its value is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, value) VALUES ('x', 1, printf('%.*c', 257, 'y'))",
        "its value is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, value) VALUES ('x', 0, 5)",
        "it has a value and is not native"
      ),
      (
        "INSERT INTO badge (id, flags, value) VALUES ('x', 4, NULL)",
        "it has a value and is not native"
      ),
      (
        "INSERT INTO badge (id, flags, progress) VALUES ('x', 1, 1.5)",
        "its 'progress' is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, progress) VALUES ('x', 1, 'half')",
        "its 'progress' is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, progress) VALUES ('x', 0, 0.5)",
        "its 'progress' is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, owner_pid) VALUES ('x', 1, 1)",
        "its 'owner_start' is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, owner_start) VALUES ('x', 1, 1)",
        "its 'owner_pid' is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, owner_pid, owner_start) VALUES ('x', 1, -1, 1)",
        "its 'owner_pid' is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, deadline) VALUES ('x', 1, 'soon')",
        "its 'deadline' is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, kept_age) VALUES ('x', 1, 0.5)",
        "its 'kept_age' is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, dismissed_app) VALUES ('x', 1, 1)",
        "its 'dismissal_age' is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, dismissal_age) VALUES ('x', 17, NULL)",
        "its 'dismissal_age' is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, app_progress) VALUES ('x', 1, 0.5)",
        "its 'app_progress' is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, app_progress) VALUES ('x', 33, 2)",
        "its 'app_progress' is not possible"
      ),
      (
        "INSERT INTO badge (id, flags, dismissal_age, dismissed_value) VALUES ('x', 16, 1, '12')",
        "its value is not possible"
      ),
    ] as [(StaticString, String)]
  )
  func aRowThatCannotBeOursIsLeftOutAndSaid(statement: StaticString, reason: String) throws {
    let state = try load(after: [statement])
    #expect(state.badges.count == 1)
    #expect(state.rejected.count == 1)
    #expect(state.rejected.first?.hasPrefix("badge ") == true)
    #expect(state.rejected.first?.hasSuffix(": \(reason)") == true, "\(state.rejected)")
  }

  @Test(
    arguments: [
      ("INSERT INTO source VALUES ('x', 'work', 0, NULL)", "it holds a source that is none"),
      ("INSERT INTO source VALUES ('x', 'work', 'one', NULL)", "it holds a source that is none"),
      ("INSERT INTO source VALUES ('x', 'work', NULL, NULL)", "it holds a source that is none"),
      ("INSERT INTO source VALUES ('x', 'a/b', 1, NULL)", "it holds a source that is none"),
      ("INSERT INTO source VALUES ('x', '', 1, NULL)", "it holds a source that is none"),
      ("INSERT INTO source VALUES ('x', x'00', 1, NULL)", "it holds a source that is none"),
      ("INSERT INTO source VALUES ('x', 'work', NULL, 1)", "it holds a source that is none"),
      (
        "INSERT INTO source VALUES ('no badge', 'work', 1, NULL)",
        "it has a value and is not native"
      ),
      ("INSERT INTO style VALUES ('x', x'00', '1')", "its 'key' is not possible"),
      ("INSERT INTO style VALUES ('x', 'max', '-1')", "its 'max' is not possible"),
      ("INSERT INTO style VALUES ('x', 'max', x'00')", "its 'max' is not possible"),
      ("INSERT INTO style VALUES ('x', 'font-size', 'nan')", "its 'font-size' is not possible"),
      ("INSERT INTO style VALUES ('x', 'background', 'red')", "its 'background' is not possible"),
      ("INSERT INTO style VALUES ('x', 'count', '3')", "its 'count' is not possible"),
      ("INSERT INTO style VALUES ('x', 'colour', '3')", "it has a key that does not exist"),
    ] as [(StaticString, String)]
  )
  func aBadgeWithARowThatCannotBeOursIsLeftOutAndSaid(
    statement: StaticString,
    reason: String
  ) throws {
    let scratch = Scratch()
    var store = try BadgeStore.open(scratch.state)
    var records = [BadgeRecord(id: try BadgeID("no badge")), BadgeRecord(id: try BadgeID("x"))]
    records[0].deadline = 1
    records[1].native = BadgeRecord.Native(unnamed: .number(1))
    var changes = StoreChanges()
    changes.badges = records
    try store.save(changes)
    try store.database.run(statement)
    let state = try store.load(bus: "b")
    #expect(state.badges.count == 1)
    #expect(state.rejected.count == 1)
    #expect(state.rejected.first?.hasSuffix(": \(reason)") == true, "\(state.rejected)")

    // What is saved in its place is not mixed with what was there.
    try store.save(changes)
    try store.close()
    store = try BadgeStore.open(scratch.state)
    #expect(try store.load(bus: "b").badges == records)
    try store.close()
  }

  @Test func rowsOfABadgeThatIsNotThereAreNotInheritedByTheNextOne() throws {
    let scratch = Scratch()
    var store = try BadgeStore.open(scratch.state)
    try store.database.run("INSERT INTO source VALUES ('x', 'work', 1, NULL)")
    try store.database.run("INSERT INTO style VALUES ('x', 'max', '9')")
    #expect(try store.load(bus: "b").badges.isEmpty)
    var record = BadgeRecord(id: try BadgeID("x"))
    record.native = BadgeRecord.Native(unnamed: .number(1))
    try store.save(StoreChanges(record))
    try store.close()
    store = try BadgeStore.open(scratch.state)
    #expect(try store.load(bus: "b").badges == [record])
    try store.close()
  }

  @Test func aReportStaysOnOneShortLine() throws {
    let state = try load(after: [
      """
      INSERT INTO badge (id, flags, value)
        VALUES (printf('%.*c', 5000, 'y') || char(10) || char(27), 1, 5)
      """
    ])
    let line = try #require(state.rejected.first)
    #expect(line.utf8.count < 400)
    #expect(!line.unicodeScalars.contains { $0.value < 32 })
  }

  @Test func settingsThatCannotBeOursAreLeftAtTheirDefaults() throws {
    let state = try load(after: [
      "INSERT INTO setting VALUES ('animations', 2)",
      "INSERT INTO setting VALUES ('quiet', 'yes')",
      "INSERT INTO setting VALUES ('quiet-until', -1)",
      "INSERT INTO setting VALUES ('boot', x'00')",
      "INSERT INTO setting VALUES ('a later one', 7)",
      "INSERT INTO setting VALUES (x'00', 7)",
    ])
    #expect(state.settings == StoredSettings())
    #expect(state.rejected.count == 5)
  }

  @Test func sendersThatCannotBeOursAreLeftOut() throws {
    let state = try load(after: [
      "INSERT INTO sender VALUES ('b', ':1.1', 'ok', 1, 5, 1, 0.5, 1, 1)",
      "INSERT INTO sender VALUES ('b', ':1.1', 'a/b', 1, 5, 1, 0.5, 1, 1)",
      "INSERT INTO sender VALUES ('b', ':1.1', 'c1', 'first', 5, 1, 0.5, 1, 1)",
      "INSERT INTO sender VALUES ('b', ':1.1', 'c2', 1, 'five', 1, 0.5, 1, 1)",
      "INSERT INTO sender VALUES ('b', ':1.1', 'c3', 1, 5, 2, 0.5, 1, 1)",
      "INSERT INTO sender VALUES ('b', ':1.1', 'c4', 1, 5, 1, 'half', 1, 1)",
      "INSERT INTO sender VALUES ('b', x'00', 'c5', 1, 5, 1, 0.5, 1, 1)",
      "INSERT INTO sender VALUES ('b', ':1.1', 'c6', 1, 5, 1, 1e999, 1, 1)",
    ])
    #expect(state.senders.map(\.app.rawValue) == ["ok"])
    #expect(state.rejected.count == 7)
  }

  @Test func aTextOfAnyLengthIsNotRead() throws {
    let state = try load(after: [
      "INSERT INTO badge (id, flags, value) VALUES ('x', 1, printf('%.*c', 200000, 'y'))",
      "INSERT INTO badge (id, flags, value) VALUES ('y', 1, 5)",
      "INSERT INTO style VALUES ('y', 'description', printf('%.*c', 200000, 'y'))",
    ])
    #expect(
      state.rejected == [
        "badge 'x': its value is not possible", "badge 'y': its 'description' is not possible",
      ]
    )
  }

  @Test func sourcesWithoutEndAreNotRead() throws {
    let state = try load(after: [
      "INSERT INTO badge (id, flags, dismissal_age) VALUES ('x', 16, 1)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
        INSERT INTO source SELECT 'x', 'y' || i, NULL, 1 FROM n
      """,
    ])
    #expect(state.rejected == ["badge 'x': it has more than 4096 sources"])
  }

  @Test func moreRowsThanThereCanBeAreNotRead() throws {
    let state = try load(after: [
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
        INSERT INTO badge (id, flags, value) SELECT 'n' || i, 1, 1 FROM n
      """,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
        INSERT INTO sender SELECT 'b', ':1.' || i, 'app', i, 1, 1, 0, 0, 0 FROM n
      """,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO setting SELECT CAST('n' || i AS BLOB), 1 FROM n
      """,
    ])
    #expect(state.badges.count == StoreLimits.badges)
    #expect(state.senders.count == StoreLimits.senders)
    #expect(state.rejected.contains("badge: more than 32768 rows"))
    #expect(state.rejected.contains("sender: more than 8192 rows"))
    #expect(state.rejected.contains("and more"))
    #expect(state.rejected.count == StoreLimits.namedRejections + 3)
  }
}

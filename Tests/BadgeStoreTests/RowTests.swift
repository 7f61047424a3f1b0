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
      ("INSERT INTO badge VALUES ('', 1, 5, NULL, NULL)", "its id is not a badge's id"),
      ("INSERT INTO badge VALUES ('a/b', 1, 5, NULL, NULL)", "its id is not a badge's id"),
      ("INSERT INTO badge VALUES ('x.desktop', 1, 5, NULL, NULL)", "its id is not a badge's id"),
      ("INSERT INTO badge VALUES (' x', 1, 5, NULL, NULL)", "its id is not a badge's id"),
      ("INSERT INTO badge VALUES (x'41ff', 1, 5, NULL, NULL)", "its id is not a text"),
      (
        "INSERT INTO badge VALUES (CAST(x'41ff' AS TEXT), 1, 5, NULL, NULL)", "its id is not a text"
      ),
      ("INSERT INTO badge VALUES ('x', 'many', 5, NULL, NULL)", "its flags are not possible"),
      ("INSERT INTO badge VALUES ('x', -1, 5, NULL, NULL)", "its flags are not possible"),
      ("INSERT INTO badge VALUES ('x', 64, 5, NULL, NULL)", "its flags are not possible"),
      ("INSERT INTO badge VALUES ('x', 1, 5.5, NULL, NULL)", "its value is not possible"),
      ("INSERT INTO badge VALUES ('x', 1, x'00', NULL, NULL)", "its value is not possible"),
      (
        "INSERT INTO badge VALUES ('x', 1, 9007199254740992, NULL, NULL)",
        "its value is not possible"
      ),
      ("INSERT INTO badge VALUES ('x', 1, '', NULL, NULL)", "its value is not possible"),
      ("INSERT INTO badge VALUES ('x', 1, '12', NULL, NULL)", "its value is not possible"),
      (
        "INSERT INTO badge VALUES ('x', 1, 'a' || char(10), NULL, NULL)",
        "its value is not possible"
      ),
      (
        "INSERT INTO badge VALUES ('x', 1, printf('%.*c', 257, 'y'), NULL, NULL)",
        "its value is not possible"
      ),
      ("INSERT INTO badge VALUES ('x', 0, 5, NULL, NULL)", "it has a value and is not native"),
      ("INSERT INTO badge VALUES ('x', 4, NULL, NULL, NULL)", "it has a value and is not native"),
      ("INSERT INTO badge VALUES ('x', 1, 5, x'00', NULL)", "its 'sources' is not possible"),
      ("INSERT INTO badge VALUES ('x', 1, 5, 'work', NULL)", "it holds a line that is none"),
      ("INSERT INTO badge VALUES ('x', 1, 5, '1=work', NULL)", "it holds a line that is none"),
      (
        "INSERT INTO badge VALUES ('x', 1, 5, '0=work' || char(10), NULL)",
        "it holds a source that is none"
      ),
      (
        "INSERT INTO badge VALUES ('x', 1, 5, '1=a/b' || char(10), NULL)",
        "it holds a source that is none"
      ),
      (
        "INSERT INTO badge VALUES ('x', 1, 5, '1=' || char(10), NULL)",
        "it holds a source that is none"
      ),
      ("INSERT INTO badge VALUES ('x', 1, 5, NULL, x'00')", "its 'details' is not possible"),
      (
        "INSERT INTO badge VALUES ('x', 1, 5, NULL, 'max=-1' || char(10))",
        "its 'max' is not possible"
      ),
      (
        "INSERT INTO badge VALUES ('x', 1, 5, NULL, 'font-size=nan' || char(10))",
        "its 'font-size' is not possible"
      ),
      (
        "INSERT INTO badge VALUES ('x', 1, 5, NULL, 'background=red' || char(10))",
        "its 'background' is not possible"
      ),
      (
        "INSERT INTO badge VALUES ('x', 1, 5, NULL, 'count=3' || char(10))",
        "its 'count' is not possible"
      ),
      (
        "INSERT INTO badge VALUES ('x', 1, 5, NULL, 'colour=3' || char(10))",
        "its 'colour' is not possible"
      ),
      (
        "INSERT INTO badge VALUES ('x', 1, 5, NULL, 'progress=1.5' || char(10))",
        "its 'progress' is not possible"
      ),
      (
        "INSERT INTO badge VALUES ('x', 0, NULL, NULL, 'progress=0.5' || char(10))",
        "its 'progress' is not possible"
      ),
      (
        "INSERT INTO badge VALUES ('x', 1, 5, NULL, 'owner=1' || char(10))",
        "its 'owner' is not possible"
      ),
      (
        "INSERT INTO badge VALUES ('x', 1, 5, NULL, 'deadline=soon' || char(10))",
        "its 'deadline' is not possible"
      ),
      (
        "INSERT INTO badge VALUES ('x', 1, 5, NULL, 'dismissed-app=1' || char(10))",
        "its 'dismissed-app' is not possible"
      ),
      (
        "INSERT INTO badge VALUES ('x', 1, 5, NULL, 'app=yes no' || char(10))",
        "its 'app' is not possible"
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

  @Test func aReportStaysOnOneShortLine() throws {
    let state = try load(after: [
      "INSERT INTO badge VALUES (printf('%.*c', 5000, 'y') || char(10) || char(27), 1, 5, NULL, NULL)"
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
      """
      INSERT INTO badge VALUES
        ('x', 1, 5, NULL, 'dismissal=1' || char(10) || 'dismissed-unnamed=dot' || char(10)
          || replace(printf('%.*c', 200000, 'y'), 'y', 'dismissed-source=1 y' || char(10)))
      """
    ])
    #expect(state.rejected == ["badge 'x': its 'details' is not possible"])
  }

  @Test func moreRowsThanThereCanBeAreNotRead() throws {
    let state = try load(after: [
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
        INSERT INTO badge SELECT 'n' || i, 1, 1, NULL, NULL FROM n
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

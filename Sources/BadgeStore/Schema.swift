// SPDX-License-Identifier: MIT

/// What the tables look like, and how a file of an older version is brought up to date.
enum Schema {
  /// "Bdgd": marks the file as ours (sqlite.org/pragma.html#pragma_application_id).
  static let applicationID: Int64 = 0x4264_6764

  /// The version this program writes: one for each migration.
  static var version: Int64 { Int64(migrations.count) }

  /// The statements that lead from each version, kept in `user_version`, to the next.
  ///
  /// A migration that has been released is never edited; a change of the tables is a further one.
  static let migrations: [[StaticString]] = [
    [
      """
      CREATE TABLE badge (
        id TEXT NOT NULL PRIMARY KEY,
        flags INTEGER NOT NULL,
        value,
        sources TEXT,
        details TEXT
      ) WITHOUT ROWID
      """,
      """
      CREATE TABLE setting (
        name TEXT NOT NULL PRIMARY KEY,
        value
      ) WITHOUT ROWID
      """,
      """
      CREATE TABLE sender (
        bus TEXT NOT NULL,
        sender TEXT NOT NULL,
        app TEXT NOT NULL,
        ordinal INTEGER NOT NULL,
        count INTEGER,
        count_visible INTEGER,
        progress REAL,
        progress_visible INTEGER,
        urgent INTEGER,
        PRIMARY KEY (bus, sender, app)
      ) WITHOUT ROWID
      """,
      "PRAGMA application_id = 0x42646764",
      "PRAGMA user_version = 1",
    ]
  ]

  /// What a file turned out to be before anything in it was touched.
  enum Finding: Hashable {
    /// No table, no version: a new file.
    case empty
    /// Ours, of this version or an older one.
    case ours(version: Int64)
    /// Ours, of a later version.
    case newer(version: Int64)
    /// Somebody else's, or damaged.
    case foreign(String)
  }

  /// Looks at a file without changing it.
  static func examine(_ database: Database) throws(SQLiteError) -> Finding {
    let version = try database.integer("PRAGMA user_version") ?? 0
    let application = try database.integer("PRAGMA application_id") ?? 0
    if version == 0, application == 0 {
      let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
      return tables == 0 ? .empty : .foreign("not a file of badged")
    }
    guard application == applicationID, version > 0 else { return .foreign("not a file of badged") }
    // A later version's tables are its own business.
    if version > Self.version { return .newer(version: version) }
    let verdict = try database.text("PRAGMA quick_check(1)") ?? "no answer to quick_check"
    return verdict == "ok" ? .ours(version: version) : .foreign(verdict)
  }

  /// Brings the tables from a version to this one, all or nothing.
  static func migrate(_ database: Database, from version: Int64) throws(SQLiteError) {
    guard version < Self.version else { return }
    try database.run("BEGIN IMMEDIATE")
    do {
      for migration in migrations[Int(version)...] {
        for statement in migration {
          try database.run(statement)
        }
      }
      try database.run("COMMIT")
    } catch {
      if !database.isAutocommit {
        try? database.run("ROLLBACK")
      }
      throw error
    }
  }
}

// SPDX-License-Identifier: MIT

/// The tables, and the migrations from older versions of them.
enum Schema {
  /// "Bdgd": marks the file as ours (sqlite.org/pragma.html#pragma_application_id).
  static let applicationID: Int64 = 0x4264_6764

  /// The version this program writes, kept in `user_version`.
  static let version: Int64 = 2

  /// See ``BadgeRows``.
  private static let badge: StaticString = """
    CREATE TABLE badge (
      id TEXT NOT NULL PRIMARY KEY,
      flags INTEGER NOT NULL,
      value,
      progress REAL,
      deadline INTEGER,
      owner_pid INTEGER,
      owner_start INTEGER,
      kept_age INTEGER,
      dismissal_age INTEGER,
      dismissed_value,
      dismissed_app INTEGER,
      app_progress REAL
    ) WITHOUT ROWID
    """

  /// A row per named source of a badge: its count, and what it counted when the badge was dismissed.
  private static let source: StaticString = """
    CREATE TABLE source (
      badge TEXT NOT NULL,
      name TEXT NOT NULL,
      count INTEGER,
      dismissed INTEGER,
      PRIMARY KEY (badge, name)
    ) WITHOUT ROWID
    """

  /// A row per key of style or policy that is not at its default.
  private static let style: StaticString = """
    CREATE TABLE style (
      badge TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (badge, key)
    ) WITHOUT ROWID
    """

  private static let setting: StaticString = """
    CREATE TABLE setting (
      name TEXT NOT NULL PRIMARY KEY,
      value
    ) WITHOUT ROWID
    """

  /// A row per sender on a bus and app that it has announced.
  private static let sender: StaticString = """
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
    """

  /// The statements that make an empty file one of this version.
  private static let creation: [StaticString] = [
    badge,
    source,
    style,
    setting,
    sender,
    "PRAGMA application_id = 0x42646764",
    "PRAGMA user_version = 2",
  ]

  /// The statements that lead from each version to the next, from version 1 on.
  ///
  /// Once released, a migration always does the same; new tables need another one.
  static let migrations: [[StaticString]] = [toVersion2]

  /// Version 1 kept sources and everything rare as lines `name=value` in two columns of `badge`.
  ///
  /// What makes no sense is moved nevertheless, to where it makes none either, so that the row is
  /// still there, and still skipped. Column affinity turns a text that is a number into one.
  private static let toVersion2: [StaticString] = [
    "CREATE TEMP TABLE old AS SELECT * FROM badge",
    "DROP TABLE badge",
    badge,
    source,
    style,
    // Each text as a JSON array of its lines.
    #"""
    CREATE TEMP TABLE text AS
      SELECT *, typeof(content) = 'text' AND length(CAST(content AS BLOB)) <= 131072
          AND substr(content, -1) = char(10) AND json_valid(lines) AS is_readable
        FROM (
          SELECT *, '["' || replace(replace(replace(content,
              '\', '\\'), '"', '\"'), char(10), '","') || '"]' AS lines
            FROM (
              SELECT id AS badge, 'sources' AS part, sources AS content FROM old
                UNION ALL SELECT id, 'details', details FROM old
            )
            WHERE content <> ''
        )
    """#,
    // `name=value`, and `first rest` for a value of two words.
    """
    CREATE TEMP TABLE line AS
      SELECT *, substr(value, 1, instr(value, ' ') - 1) AS first,
          substr(value, instr(value, ' ') + 1) AS rest
        FROM (
          SELECT badge, part, each.key AS number,
              substr(each.value, 1, instr(each.value, '=') - 1) AS name,
              substr(each.value, instr(each.value, '=') + 1) AS value
            FROM text, json_each(iif(is_readable, lines, '[]')) AS each
            WHERE each.value <> ''
        )
    """,
    """
    INSERT INTO badge
      SELECT id,
          CASE WHEN flags BETWEEN 0 AND 15
            THEN flags | 16 * coalesce(max(name = 'dismissed-unnamed'), 0)
              | coalesce(max(CASE line.value
                  WHEN 'false false' THEN 32
                  WHEN 'true false' THEN 32 + 64
                  WHEN 'false true' THEN 32 + 128
                  WHEN 'true true' THEN 32 + 64 + 128
                  ELSE 64 END) FILTER (WHERE name = 'app'), 0)
            ELSE flags - 256 END,
          old.value,
          max(line.value) FILTER (WHERE name = 'progress'),
          max(line.value) FILTER (WHERE name = 'deadline'),
          max(first) FILTER (WHERE name = 'owner'),
          max(rest) FILTER (WHERE name = 'owner'),
          max(line.value) FILTER (WHERE name = 'kept'),
          max(line.value) FILTER (WHERE name = 'dismissal'),
          max(CASE
            WHEN first = 'number' AND rest = CAST(CAST(rest AS INTEGER) AS TEXT)
              THEN CAST(rest AS INTEGER)
            WHEN first = 'text' THEN rest
            WHEN line.value <> 'dot' THEN CAST(line.value AS BLOB)
          END) FILTER (WHERE name = 'dismissed-unnamed'),
          max(line.value) FILTER (WHERE name = 'dismissed-app'),
          max(line.value) FILTER (WHERE name = 'app-progress')
        FROM old LEFT JOIN line ON line.badge = id AND part = 'details'
        GROUP BY id
    """,
    """
    INSERT OR REPLACE INTO source (badge, name, count)
      SELECT badge, value, name FROM line WHERE part = 'sources' ORDER BY number
    """,
    """
    INSERT INTO source (badge, name, dismissed)
      SELECT badge, rest, first FROM line
        WHERE part = 'details' AND name = 'dismissed-source' ORDER BY number
      ON CONFLICT DO UPDATE SET dismissed = excluded.dismissed
    """,
    """
    INSERT OR REPLACE INTO style
      SELECT badge, iif(name = '', part, name), value FROM line
        WHERE part = 'details' AND name NOT IN ('progress', 'deadline', 'owner', 'kept',
          'dismissal', 'dismissed-unnamed', 'dismissed-source', 'dismissed-app', 'app',
          'app-progress')
        ORDER BY number
    """,
    "INSERT INTO style SELECT badge, part, content FROM text WHERE NOT is_readable",
    "DROP TABLE temp.old",
    "DROP TABLE temp.text",
    "DROP TABLE temp.line",
    "PRAGMA user_version = 2",
  ]

  /// What a file turned out to be.
  enum Finding: Hashable {
    /// Ours, of this version or an older one; version 0 is an empty file.
    case ours(version: Int64)
    /// Ours, of a later version.
    case newer(version: Int64)
    /// Somebody else's, or damaged.
    case foreign(String)
  }

  /// Examines a file without changing it.
  static func examine(_ database: Database) throws(SQLiteError) -> Finding {
    let version = try database.integer("PRAGMA user_version") ?? 0
    let application = try database.integer("PRAGMA application_id") ?? 0
    if version == 0, application == 0 {
      let count = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
      return count == 0 ? .ours(version: 0) : .foreign("not a file of badged")
    }
    guard application == applicationID, version > 0 else { return .foreign("not a file of badged") }
    // A later version may look any way.
    if version > Self.version { return .newer(version: version) }
    let verdict = try database.text("PRAGMA quick_check(1)") ?? "no answer to quick_check"
    return verdict == "ok" ? .ours(version: version) : .foreign(verdict)
  }

  /// Whether the tables are as this version creates them: a damaged name of a column would only be
  /// noticed when it is used.
  static func isIntact(_ database: Database) throws(SQLiteError) -> Bool {
    let statement = try database.prepare("SELECT 1 FROM sqlite_schema WHERE sql = ?")
    for table in [badge, source, style, setting, sender] {
      try statement.bind("\(table)", at: 0)
      guard try statement.step() else { return false }
      statement.reset()
    }
    return true
  }

  /// Brings a file of some version to this one, all or nothing.
  static func migrate(_ database: Database, from version: Int64) throws(SQLiteError) {
    guard version < Self.version else { return }
    let statements =
      version == 0 ? creation : Array(migrations[Int(version - 1)...].joined())
    try Transaction(database).run { () throws(SQLiteError) in
      for statement in statements { try database.run(statement) }
    }
  }
}

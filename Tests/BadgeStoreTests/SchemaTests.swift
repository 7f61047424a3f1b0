// SPDX-License-Identifier: MIT
import BadgeCore
import CSQLite
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

  private func execute(_ sql: String, on path: String) {
    var database: OpaquePointer?
    unsafe #expect(sqlite3_open(path, &database) == SQLITE_OK)
    unsafe #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    unsafe sqlite3_close(database)
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

  /// The tables of version 1, word for word.
  private static let versionOne: [StaticString] = [
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

  /// The tables of a file, as `sqlite3` shows them.
  private func schema(of path: String) throws -> String? {
    let database = try Database(path: path)
    return try database.text(
      "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY name)"
    )
  }

  @Test func noMigrationLeavesTheVersionBehind() throws {
    let scratch = Scratch()
    for count in 0...Schema.migrations.count {
      let database = try Database(path: "\(scratch.path)/\(count).db")
      for statement in Self.versionOne + Schema.migrations[..<count].joined() {
        try database.run(statement)
      }
      #expect(try database.integer("PRAGMA user_version") == Int64(count + 1))
    }
    #expect(Schema.version == Int64(Schema.migrations.count + 1))
  }

  @Test func migratedFilesHaveTheTablesOfNewOnes() throws {
    let scratch = Scratch()
    try scratch.state.prepare()
    try make(scratch.state.databasePath, Self.versionOne)
    try BadgeStore.open(scratch.state).close()
    let new = StateDirectory(path: scratch.path + "/new")
    try BadgeStore.open(new).close()
    #expect(try schema(of: scratch.state.databasePath) == schema(of: new.databasePath))
  }

  /// What version 1 wrote, word for word: a file like this has to be readable for ever.
  @Test func aFileOfVersionOneIsRead() throws {
    let scratch = Scratch()
    try scratch.state.prepare()
    try make(
      scratch.state.databasePath,
      Self.versionOne + [
        "INSERT INTO badge VALUES ('chat', 1, 'new', NULL, NULL)",
        "INSERT INTO badge VALUES ('dot', 9, NULL, NULL, NULL)",
        """
        INSERT INTO badge VALUES ('full', 7, 5, '3=home' || char(10) || '-4=work = 1' || char(10),
          'hide-at-zero=false
        max=99
        description=a=b
        background=#0099FF80
        offset-x=-2.5
        progress=0.25
        deadline=123456789
        kept=4
        owner=42 4711
        dismissal=6
        dismissed-unnamed=text v2 is out
        dismissed-source=2 home
        dismissed-app=8
        app=true false
        app-progress=0.5
        ')
        """,
        "INSERT INTO badge VALUES ('look', 0, NULL, NULL, 'font=Cantarell' || char(10))",
        "INSERT INTO setting VALUES ('animations', 0), ('quiet', 1), ('quiet-until', 99)",
        "INSERT INTO setting VALUES ('boot', 'b'), ('boot-epoch', -1)",
        "INSERT INTO sender VALUES ('bus', ':1.7', 'mail', 3, 12, 1, 0.75, 0, NULL)",
      ]
    )
    let store = try BadgeStore.open(scratch.state)
    #expect(store.setAside == nil)
    let state = try store.load(bus: "bus")
    try store.close()
    #expect(state.rejected.isEmpty)

    var chat = BadgeRecord(id: try BadgeID("chat"))
    chat.native = BadgeRecord.Native(unnamed: try #require(try UnnamedValue.reading("new")))
    var dot = BadgeRecord(id: try BadgeID("dot"))
    dot.native = BadgeRecord.Native(unnamed: .dot, isDismissed: true)
    func source(_ name: String, _ count: Int64) throws -> SourceCount {
      SourceCount(name: try SourceName(name, key: "sources"), count: count)
    }
    var full = BadgeRecord(id: try BadgeID("full"))
    full.native = BadgeRecord.Native(
      unnamed: .number(5),
      sources: [try source("home", 3), try source("work = 1", -4)],
      isPlaceholder: true,
      isUrgent: true,
      progress: 0.25
    )
    full.settings = [
      BadgeSetting(key: .hideAtZero, value: .boolean(false)),
      BadgeSetting(key: .max, value: .integer(99)),
      BadgeSetting(key: .description, value: .string("a=b")),
      BadgeSetting(key: .background, value: .string("#0099FF80")),
      BadgeSetting(key: .offsetX, value: .double(-2.5)),
    ]
    full.deadline = 123_456_789
    full.keptAge = 4
    full.owner = OwnerProcess(processID: 42, startTime: 4711)
    full.dismissal = BadgeRecord.Dismissal(
      age: 6,
      native: DismissedValue(
        unnamed: try #require(try UnnamedValue.reading("v2 is out")),
        sources: [try source("home", 2)]
      ),
      app: 8
    )
    full.app = BadgeRecord.App(isUrgent: true, progress: 0.5, isRemoved: false)
    var look = BadgeRecord(id: try BadgeID("look"))
    look.settings = [BadgeSetting(key: .font, value: .string("Cantarell"))]
    #expect(state.badges == [chat, dot, full, look])

    var settings = StoredSettings()
    settings.animations = false
    settings.quiet = true
    settings.quietUntil = 99
    settings.bootID = "b"
    settings.bootEpoch = -1
    #expect(state.settings == settings)

    var sender = SenderRecord(bus: "bus", sender: ":1.7", app: try BadgeID("mail"), ordinal: 3)
    sender.announcement.count = 12
    sender.announcement.isCountVisible = true
    sender.announcement.setProgress(0.75)
    sender.announcement.isProgressVisible = false
    #expect(state.senders == [sender])
  }

  /// Rows of version 1 that it would have skipped: they are still there, and still skipped.
  @Test(
    arguments: [
      ("'x', 'many', 5, NULL, NULL", "its flags are not possible"),
      ("'x', 64, 5, NULL, NULL", "its flags are not possible"),
      ("'x', 32, NULL, NULL, NULL", "its flags are not possible"),
      ("'x', 1, 5.5, NULL, NULL", "its value is not possible"),
      ("'a/b', 1, 5, NULL, 'max=5' || char(10)", "its id is not a badge's id"),
      ("x'41ff', 1, 5, NULL, 'max=5' || char(10)", "its id is not a text"),
      ("'x', 0, 5, NULL, NULL", "it has a value and is not native"),
      ("'x', 0, NULL, '1=work' || char(10), NULL", "it has a value and is not native"),
      ("'x', 1, 5, x'00', NULL", "its 'sources' is not possible"),
      ("'x', 1, 5, '1=work', NULL", "its 'sources' is not possible"),
      ("'x', 1, 5, 'work' || char(10), NULL", "it holds a source that is none"),
      ("'x', 1, 5, '0=work' || char(10), NULL", "it holds a source that is none"),
      ("'x', 1, 5, '1=a/b' || char(10), NULL", "it holds a source that is none"),
      ("'x', 1, 5, '1=' || char(10), NULL", "it holds a source that is none"),
      ("'x', 1, 5, NULL, x'00'", "its 'details' is not possible"),
      ("'x', 1, 5, NULL, 'max=5'", "its 'details' is not possible"),
      ("'x', 1, 5, NULL, 'max' || char(10)", "its 'details' is not possible"),
      ("'x', 1, 5, NULL, 'max=5' || char(10, 0, 10)", "its 'details' is not possible"),
      ("'x', 1, 5, NULL, printf('%.*c', 200000, 'y') || char(10)", "its 'details' is not possible"),
      ("'x', 1, 5, NULL, 'max=-1' || char(10)", "its 'max' is not possible"),
      ("'x', 1, 5, NULL, 'count=3' || char(10)", "its 'count' is not possible"),
      ("'x', 1, 5, NULL, 'colour=3' || char(10)", "it has a key that does not exist"),
      ("'x', 1, 5, NULL, 'progress=1.5' || char(10)", "its 'progress' is not possible"),
      ("'x', 0, NULL, NULL, 'progress=0.5' || char(10)", "its 'progress' is not possible"),
      ("'x', 1, 5, NULL, 'owner=1' || char(10)", "its 'owner_pid' is not possible"),
      ("'x', 1, 5, NULL, 'deadline=soon' || char(10)", "its 'deadline' is not possible"),
      ("'x', 1, 5, NULL, 'dismissed-app=1' || char(10)", "its 'dismissal_age' is not possible"),
      (
        "'x', 1, 5, NULL, 'dismissed-unnamed=dot' || char(10)",
        "its 'dismissal_age' is not possible"
      ),
      (
        "'x', 1, 5, NULL, 'dismissal=1' || char(10) || 'dismissed-unnamed=number x' || char(10)",
        "its value is not possible"
      ),
      (
        "'x', 1, 5, NULL, 'dismissal=1' || char(10) || 'dismissed-source=1 work' || char(10)",
        "it holds a source that is none"
      ),
      ("'x', 1, 5, NULL, 'app=yes no' || char(10)", "its flags are not possible"),
    ]
  )
  func aDamagedRowOfVersionOneIsStillSkipped(values: String, reason: String) throws {
    let scratch = Scratch()
    try scratch.state.prepare()
    let statements: [StaticString] = ["INSERT INTO badge VALUES ('good', 1, 1, NULL, NULL)"]
    try make(scratch.state.databasePath, Self.versionOne + statements)
    execute("INSERT INTO badge VALUES (\(values))", on: scratch.state.databasePath)
    for _ in 0..<2 {
      let store = try BadgeStore.open(scratch.state)
      #expect(store.setAside == nil)
      let state = try store.load(bus: "")
      try store.close()
      #expect(state.badges.map(\.id.rawValue) == ["good"])
      #expect(state.rejected.count == 1)
      #expect(state.rejected.first?.hasSuffix(": \(reason)") == true, "\(state.rejected)")
    }
  }

  /// Any call may fail while a file is migrated: afterwards it is whole, of either version.
  @Test func aMigrationThatFailsIsDoneAgain() throws {
    var failures = 0
    for victim in 1... {
      let scratch = Scratch()
      try scratch.state.prepare()
      let row: StaticString = """
        INSERT INTO badge VALUES ('x', 1, 5, '3=home' || char(10), 'max=99' || char(10))
        """
      try make(scratch.state.databasePath, Self.versionOne + [row])
      var calls = 0
      let first = Result {
        try BadgeStore.open(scratch.state) { _ in
          calls += 1
          return calls == victim ? .full : nil
        }
      }
      try? first.get().close()
      if calls >= victim { failures += 1 }
      let store = try BadgeStore.open(scratch.state)
      let badge = try #require(try store.load(bus: "").badges.first)
      #expect(badge.native?.sources.map(\.count) == [3])
      #expect(badge.settings == [BadgeSetting(key: .max, value: .integer(99))])
      try store.close()
      if calls < victim { break }
    }
    #expect(failures > 50)
  }
}

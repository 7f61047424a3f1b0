// SPDX-License-Identifier: MIT
import BadgeCore
import BadgeStore
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import BadgeService

@Suite struct PersistenceTests {
  /// A disk that can be full; counts what SQLite is asked to sync.
  private final class Disk {
    var isFull = false
    var syncs = 0

    func consult(_ call: SQLiteCall) -> SQLiteCode? {
      if isFull { return .full }
      if call == .sync || call == .checkpoint { syncs += 1 }
      return nil
    }
  }

  private final class Fixture {
    let loop: EventLoop
    let disk: Disk
    let directory: TemporaryDirectory
    let persistence: Persistence
    let output = Output()
    var book = BadgeBook()

    final class Output {
      var lines: [String] = []
    }

    init(
      _ directory: TemporaryDirectory? = nil,
      isFull: Bool = false
    ) throws {
      let (loop, disk, output) = (try EventLoop(), Disk(), output)
      self.loop = loop
      self.disk = disk
      self.directory = try directory ?? TemporaryDirectory()
      disk.isFull = isFull
      (persistence, _) = try Persistence.open(
        StateDirectory(path: self.directory.path),
        bus: "",
        loop: loop,
        log: Log(style: .program("badged")) {
          output.lines.append($0)
          return true
        },
        faults: disk.consult
      )
      loop.onTurnEnd { [unowned self] in commit() }
    }

    /// With a change that could not be written.
    static func failing() throws -> Fixture {
      let fixture = try Fixture()
      fixture.disk.isFull = true
      try fixture.set("a", 1)
      fixture.commit()
      return fixture
    }

    func set(_ id: String, _ count: Int64) throws {
      _ = try book.setCount(count, for: try BadgeID(id))
      persistence.bookChanged()
    }

    func remove(_ id: String) throws {
      _ = try book.remove(try BadgeID(id))
      persistence.bookChanged()
    }

    func commit() { persistence.commit(&book) }

    func stored() throws -> StoredState { try storedState(in: directory) }

    /// What is stored, such as `["a 1"]`.
    func storedBadges() throws -> [String] {
      BadgeBook(records: try stored().badges).badges.map { "\($0.id) \($0.count)" }.sorted()
    }
  }

  @Test func aTurnSavesWhatChanged() throws {
    let fixture = try Fixture()
    try fixture.set("a", 1)
    try fixture.set("b", 1)
    try fixture.set("a", 2)
    fixture.commit()
    #expect(try fixture.storedBadges() == ["a 2", "b 1"])
    #expect(fixture.book.unsaved.isEmpty)
    // A turn without a change writes nothing, and so can't fail.
    fixture.disk.isFull = true
    fixture.commit()
    #expect(fixture.persistence.isDurable)
    fixture.disk.isFull = false
    try fixture.set("a", 3)
    fixture.commit()
    #expect(try fixture.storedBadges() == ["a 3", "b 1"])
  }

  @Test func whatIsGoneIsForgotten() throws {
    let fixture = try Fixture()
    try fixture.set("a", 1)
    fixture.commit()
    try fixture.remove("a")
    fixture.commit()
    #expect(try fixture.stored().badges.isEmpty)
  }

  @Test func whatCannotBeWrittenIsKeptAndTriedAgain() throws {
    let fixture = try Fixture.failing()
    #expect(!fixture.persistence.isDurable)
    try fixture.set("b", 1)
    fixture.commit()
    #expect(fixture.output.lines.count == 1)
    #expect(fixture.output.lines.first?.contains("disk is full") == true)
    #expect(try fixture.storedBadges() == [])
    fixture.disk.isFull = false
    let begin = Instant.now()
    #expect(try fixture.loop.run { fixture.persistence.isDurable })
    #expect(Instant.now() - begin >= .milliseconds(1_900))
    #expect(try fixture.storedBadges() == ["a 1", "b 1"])
    #expect(fixture.output.lines.count == 2)
  }

  @Test func aChangeTriesAgainAtOnce() throws {
    let fixture = try Fixture.failing()
    fixture.disk.isFull = false
    // A turn in which nothing changed is no reason to try.
    fixture.commit()
    #expect(!fixture.persistence.isDurable)
    try fixture.set("b", 1)
    fixture.commit()
    #expect(fixture.persistence.isDurable)
    #expect(try fixture.storedBadges() == ["a 1", "b 1"])
  }

  @Test func theLastTryIsAtTheEnd() throws {
    let fixture = try Fixture.failing()
    fixture.disk.isFull = false
    fixture.persistence.close(&fixture.book)
    let store = try BadgeStore.open(StateDirectory(path: fixture.directory.path))
    #expect(try store.load(bus: "").badges.map(\.id.rawValue) == ["a"])
    try store.close()
    #expect(fixture.output.lines.count == 2)
  }

  @Test func whatIsLostInTheEndIsSaid() throws {
    let fixture = try Fixture.failing()
    fixture.persistence.close(&fixture.book)
    #expect(fixture.output.lines.last?.contains("what could not be written is lost") == true)
    #expect(fixture.output.lines.count == 2)
  }

  @Test func whatWasSavedIsSyncedWithinASecond() throws {
    let fixture = try Fixture()
    try fixture.set("a", 1)
    fixture.commit()
    let before = fixture.disk.syncs
    let begin = Instant.now()
    #expect(try fixture.loop.run { fixture.disk.syncs > before })
    #expect(Instant.now() - begin < .seconds(1))
  }

  @Test func aSyncThatFailsIsNotDurable() throws {
    let fixture = try Fixture()
    try fixture.set("a", 1)
    fixture.commit()
    fixture.disk.isFull = true
    #expect(try fixture.loop.run { !fixture.persistence.isDurable })
    fixture.disk.isFull = false
    let before = fixture.disk.syncs
    #expect(try fixture.loop.run { fixture.persistence.isDurable })
    #expect(fixture.disk.syncs > before)
  }

  @Test func aFileThatIsGoneIsBegunAnewWithEverything() throws {
    let fixture = try Fixture()
    fixture.persistence.settings.animations = false
    try fixture.set("a", 1)
    fixture.commit()
    for name in ["badges.db", "badges.db-wal"] {
      #expect(unsafe unlink(fixture.directory.appending(name)) == 0)
    }
    try fixture.set("b", 1)
    #expect(try fixture.loop.run { !fixture.persistence.isDurable })
    try fixture.set("c", 1)
    fixture.commit()
    #expect(fixture.persistence.isDurable)
    #expect(try fixture.storedBadges() == ["a 1", "b 1", "c 1"])
    #expect(try !fixture.stored().settings.animations)
  }

  @Test func sendersAreKeptAndForgotten() throws {
    let fixture = try Fixture()
    var record = SenderRecord(bus: "", sender: ":1.2", app: try BadgeID("app"), ordinal: 1)
    record.announcement.count = 3
    fixture.persistence.save(record)
    fixture.commit()
    #expect(try fixture.stored().senders == [record])
    // The same again is no change, so that nothing is written.
    fixture.disk.isFull = true
    fixture.persistence.save(record)
    fixture.commit()
    #expect(fixture.persistence.isDurable)
    fixture.disk.isFull = false
    fixture.persistence.forget(record)
    fixture.commit()
    #expect(try fixture.stored().senders == [])
    fixture.persistence.save(record)
    fixture.persistence.rewriteEverything()
    fixture.commit()
    #expect(try fixture.stored().senders == [record])
  }

  @Test func whatCannotBeWrittenIsBounded() throws {
    let fixture = try Fixture()
    try fixture.set("gone", 1)
    fixture.commit()
    fixture.disk.isFull = true
    try fixture.remove("gone")
    try fixture.set("kept", 7)
    for number in 0...Persistence.maximumUnwritten {
      try fixture.set("app-\(number)", 1)
      try fixture.remove("app-\(number)")
    }
    fixture.commit()
    #expect(fixture.book.unsaved.isEmpty)
    try fixture.set("more", 1)
    fixture.disk.isFull = false
    fixture.commit()
    #expect(fixture.persistence.isDurable)
    #expect(try fixture.storedBadges() == ["kept 7", "more 1"])
  }

  @Test func aStoreThatCouldNotBeOpenedIsOpenedLater() throws {
    let directory = try TemporaryDirectory()
    let before = try Fixture(directory)
    try before.set("before", 1)
    before.persistence.close(&before.book)
    let fixture = try Fixture(directory, isFull: true)
    #expect(!fixture.persistence.isDurable)
    #expect(fixture.output.lines.count == 1)
    fixture.disk.isFull = false
    fixture.persistence.settings.animations = false
    try fixture.set("a", 1)
    fixture.commit()
    #expect(fixture.persistence.isDurable)
    #expect(try !fixture.stored().settings.animations)
    // What the file held stays, since nobody removed it.
    #expect(try fixture.storedBadges() == ["a 1", "before 1"])
  }

  @Test func aDirectoryThatIsInTheWayIsNoReasonToStop() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("badges.db")
    let fixture = try Fixture(directory)
    #expect(!fixture.persistence.isDurable)
    #expect(unsafe rmdir(directory.appending("badges.db")) == 0)
    try fixture.set("a", 1)
    fixture.commit()
    #expect(fixture.persistence.isDurable)
    #expect(try fixture.storedBadges() == ["a 1"])
  }
}

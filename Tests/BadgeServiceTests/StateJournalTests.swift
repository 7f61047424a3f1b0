// SPDX-License-Identifier: MIT
import BadgeCore
import BadgeStore
import EventLoop
import TestSupport
import Testing

@testable import BadgeService

@Suite struct StateJournalTests {
  private final class Fixture {
    let loop: EventLoop
    let store = MemoryStore()
    var book = BadgeBook()
    var log: [String] = []
    lazy var journal = StateJournal(
      store,
      isOpen: true,
      state: StoredState(),
      loop: loop,
      log: Log(style: .program("badged")) {
        self.log.append($0)
        return true
      }
    )

    init() throws {
      loop = try EventLoop()
      loop.onTurnEnd { [unowned self] in journal.commit(&book) }
    }

    /// A journal with a change that it could not write.
    convenience init(failing fault: StoreError) throws {
      try self.init()
      store.fault = fault
      try set("a", 1)
      journal.commit(&book)
    }

    func set(_ id: String, _ count: Int64) throws {
      _ = try book.setCount(count, for: try BadgeID(id))
      journal.note()
    }

    var savedIDs: [[String]] { store.saves.map { $0.badges.map(\.id.rawValue).sorted() } }
  }

  private static let full = StoreError.unavailable(path: "/x", detail: "disk is full")

  @Test func aTurnIsOneSaveOfWhatChanged() throws {
    let fixture = try Fixture()
    try fixture.set("a", 1)
    try fixture.set("b", 1)
    try fixture.set("a", 2)
    fixture.journal.commit(&fixture.book)
    fixture.journal.commit(&fixture.book)
    #expect(fixture.savedIDs == [["a", "b"]])
    try fixture.set("a", 3)
    fixture.journal.commit(&fixture.book)
    #expect(fixture.savedIDs == [["a", "b"], ["a"]])
  }

  @Test func whatIsGoneIsForgotten() throws {
    let fixture = try Fixture()
    try fixture.set("a", 1)
    fixture.journal.commit(&fixture.book)
    _ = try fixture.book.remove(try BadgeID("a"))
    fixture.journal.note()
    fixture.journal.commit(&fixture.book)
    #expect(fixture.store.saves.last?.forgotten.map(\.rawValue) == ["a"])
  }

  @Test func whatCannotBeWrittenIsKeptAndTriedAgain() throws {
    let fixture = try Fixture(failing: Self.full)
    #expect(!fixture.journal.isDurable)
    try fixture.set("b", 1)
    fixture.journal.commit(&fixture.book)
    #expect(fixture.log.count == 1)
    #expect(fixture.log.first?.contains("disk is full") == true)
    fixture.store.fault = nil
    let begin = Instant.now()
    #expect(try fixture.loop.run { fixture.journal.isDurable })
    #expect(Instant.now() - begin >= .milliseconds(1_900))
    #expect(fixture.savedIDs == [["a", "b"]])
    #expect(fixture.log.count == 2)
  }

  @Test func aChangeTriesAgainAtOnce() throws {
    let fixture = try Fixture(failing: Self.full)
    fixture.store.fault = nil
    // A turn in which nothing changed is no reason to try.
    fixture.journal.commit(&fixture.book)
    #expect(!fixture.journal.isDurable)
    try fixture.set("b", 1)
    fixture.journal.commit(&fixture.book)
    #expect(fixture.journal.isDurable)
    #expect(fixture.savedIDs == [["a", "b"]])
  }

  @Test func theLastTryIsAtTheEnd() throws {
    let fixture = try Fixture(failing: Self.full)
    fixture.store.fault = nil
    fixture.journal.close(&fixture.book)
    #expect(fixture.savedIDs == [["a"]])
    #expect(fixture.log.count == 2)
  }

  @Test func whatIsLostInTheEndIsSaid() throws {
    let fixture = try Fixture(failing: Self.full)
    fixture.journal.close(&fixture.book)
    #expect(fixture.log.last?.contains("what could not be written is lost") == true)
    #expect(fixture.log.count == 2)
  }

  @Test func whatWasSavedIsSyncedWithinASecond() throws {
    let fixture = try Fixture()
    try fixture.set("a", 1)
    fixture.journal.commit(&fixture.book)
    #expect(fixture.store.needsSync)
    let begin = Instant.now()
    #expect(try fixture.loop.run { !fixture.store.needsSync })
    #expect(Instant.now() - begin < .seconds(1))
  }

  @Test func aSyncThatFailsIsNotDurable() throws {
    let fixture = try Fixture()
    try fixture.set("a", 1)
    fixture.journal.commit(&fixture.book)
    fixture.store.fault = Self.full
    #expect(try fixture.loop.run { !fixture.journal.isDurable })
    fixture.store.fault = nil
    #expect(try fixture.loop.run { fixture.journal.isDurable })
    #expect(!fixture.store.needsSync)
  }

  @Test func aFileThatIsGoneIsBegunAnewWithEverything() throws {
    let fixture = try Fixture()
    try fixture.set("a", 1)
    fixture.journal.commit(&fixture.book)
    fixture.store.fault = .removed(path: "/x")
    try fixture.set("b", 1)
    fixture.journal.commit(&fixture.book)
    #expect(!fixture.journal.isDurable)
    fixture.store.fault = nil
    try fixture.set("c", 1)
    fixture.journal.commit(&fixture.book)
    #expect(fixture.store.reopenCount == 1)
    let last = try #require(fixture.store.saves.last)
    #expect(!last.replacesEverything)
    #expect(last.settings != nil)
    #expect(last.badges.map(\.id.rawValue).sorted() == ["a", "b", "c"])
  }

  @Test func sendersAreKeptAndForgotten() throws {
    let fixture = try Fixture()
    var record = SenderRecord(bus: "b", sender: ":1.2", app: try BadgeID("app"), ordinal: 1)
    record.count = 3
    fixture.journal.save(record)
    fixture.journal.commit(&fixture.book)
    #expect(fixture.store.saves.last?.senders == [record])
    fixture.journal.save(record)
    fixture.journal.commit(&fixture.book)
    #expect(fixture.store.saves.count == 1)
    fixture.journal.forget(record)
    fixture.journal.commit(&fixture.book)
    #expect(fixture.store.saves.last?.departed == [record])
    fixture.journal.save(record)
    fixture.journal.rewrite()
    fixture.journal.commit(&fixture.book)
    #expect(fixture.store.saves.last?.senders == [record])
  }

  @Test func whatCannotBeWrittenIsBounded() throws {
    let fixture = try Fixture()
    fixture.store.fault = Self.full
    try fixture.set("kept", 7)
    for number in 0...ServiceLimits.unwrittenChanges {
      try fixture.set("app-\(number)", 1)
      _ = try fixture.book.remove(try BadgeID("app-\(number)"))
    }
    fixture.journal.commit(&fixture.book)
    #expect(fixture.book.unsaved.isEmpty)
    try fixture.set("more", 1)
    fixture.store.fault = nil
    fixture.journal.commit(&fixture.book)
    #expect(fixture.journal.isDurable)
    #expect(fixture.store.saves.last?.replacesEverything == true)
    #expect(fixture.savedIDs.last == ["kept", "more"])
  }

  @Test func aStoreThatCouldNotBeOpenedIsOpenedLater() throws {
    let loop = try EventLoop()
    let store = MemoryStore()
    var book = BadgeBook()
    let journal = StateJournal(
      store,
      isOpen: false,
      state: StoredState(),
      loop: loop,
      log: Log(style: .priorities) { _ in true }
    )
    #expect(!journal.isDurable)
    _ = try book.setCount(1, for: try BadgeID("a"))
    journal.note()
    journal.commit(&book)
    #expect(journal.isDurable)
    #expect(store.reopenCount == 1)
    #expect(store.saves.last?.settings != nil)
    #expect(store.saves.last?.badges.count == 1)
    #expect(store.saves.last?.replacesEverything == false)
  }
}

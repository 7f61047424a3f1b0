// SPDX-License-Identifier: MIT
import BadgeCore
import BadgeStore
import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import BadgeService

@Suite(.privateBus) struct LifetimeTests {
  let fixture: ServiceFixture

  init() throws {
    fixture = try ServiceFixture()
  }

  private func update(_ id: String, _ changes: (String, Value)...) throws -> BusError? {
    let reply = try fixture.call("Update", .string(id), .namedValues(changes))
    guard case .failure(let error) = reply else { return nil }
    return error
  }

  private func removal(_ id: String) throws -> String? {
    let signals = try fixture.take(1, "Removed")
    return signals.last { $0.member == "Removed" && $0.values[0] == .string(id) }?.values[1].text
  }

  @Test func aBadgeGoesWhenItsTimeIsOver() throws {
    let begin = Instant.now()
    #expect(try update("mail", ("count", .int64(1)), ("ttl", .double(0.05))) == nil)
    let left = try #require(try fixture.badge("mail")?["ttl"])
    guard case .double(let seconds) = left else {
      Issue.record("ttl is no double")
      return
    }
    #expect(seconds > 0 && seconds <= 0.05)
    #expect(try removal("mail") == "expired")
    #expect(Instant.now() - begin >= .milliseconds(50))
    #expect(try fixture.badge("mail") == nil)
  }

  @Test func theEarliestOfManyGoesFirstAndATimeCanBeEnded() throws {
    #expect(try update("late", ("count", .int64(1)), ("ttl", .double(0.2))) == nil)
    #expect(try update("early", ("count", .int64(1)), ("ttl", .double(0.05))) == nil)
    #expect(try update("kept", ("count", .int64(1)), ("ttl", .double(0.05))) == nil)
    #expect(try update("kept", ("ttl", .int32(0))) == nil)
    let ids = try fixture.take(2, "Removed").filter { $0.member == "Removed" }.map { $0.values[0] }
    #expect(ids == [.string("early"), .string("late")])
    #expect(try fixture.badge("kept")?["ttl"] == .double(0))
  }

  @Test func aWallClockThatWasSetIsNotedWhileSomethingHasATime() throws {
    // As if the wall clock had said something else when this boot began.
    var state = StoredState()
    state.settings.bootID = BootClock.now().bootID
    state.settings.bootEpoch = 5
    let directory = try TemporaryDirectory()
    let service = try ServiceFixture.makeService(
      on: fixture.client,
      fixture.loop,
      directory,
      state: state
    )
    service.start()
    #expect(try storedState(in: directory).settings.bootEpoch == 5)
    try service.update(
      try BadgeID("mail"),
      with: [("count", .integer(1)), ("ttl", .double(60))]
    )
    service.stop()
    let epoch = try storedState(in: directory).settings.bootEpoch
    #expect(abs(epoch - BootClock.currentEpoch()) < 2_000_000_000)
  }

  @Test func aBadgeGoesWithItsProcess() throws {
    let child = try SpawnedProcess("sleep", ["100"])
    #expect(
      try update("mail", ("count", .int64(1)), ("while-pid", .uint32(UInt32(child.processID))))
        == nil
    )
    #expect(
      try update("news", ("count", .int64(1)), ("while-pid", .int64(Int64(child.processID)))) == nil
    )
    #expect(fixture.service.watchedProcessCount == 1)
    child.terminate()
    let signals = try fixture.take(2, "Removed").filter { $0.member == "Removed" }
    #expect(signals.map { $0.values[1] } == [.string("owner-gone"), .string("owner-gone")])
    #expect(fixture.service.watchedProcessCount == 0)
  }

  @Test func theWatchEndsWithTheBadgeAndWhenToldTo() throws {
    let child = try SpawnedProcess("sleep", ["100"])
    defer { child.terminate() }
    let pid = Value.uint32(UInt32(child.processID))
    #expect(try update("a", ("count", .int64(1)), ("while-pid", pid)) == nil)
    #expect(try update("b", ("count", .int64(1)), ("while-pid", pid)) == nil)
    #expect(try update("a", ("while-pid", .uint32(0))) == nil)
    try fixture.waitForBus()
    #expect(fixture.service.watchedProcessCount == 1)
    _ = try fixture.call("Remove", .string("b"))
    try fixture.waitForBus()
    #expect(fixture.service.watchedProcessCount == 0)
  }

  @Test func aProcessThatIsGoneIsRefused() throws {
    let child = try SpawnedProcess("true", [])
    let pid = UInt32(child.processID)
    _ = try child.wait()
    let error = try #require(try update("mail", ("count", .int64(1)), ("while-pid", .uint32(pid))))
    #expect(error.name.rawValue == "org.badged.Badges1.Error.InvalidValue")
    #expect(error.message.contains("while-pid") && error.message.contains("\(pid)"))
    #expect(try fixture.badge("mail") == nil)
    #expect(fixture.service.watchedProcessCount == 0)
  }

  @Test func aRefusedUpdateLeavesNoWatch() throws {
    let pid = Value.uint32(UInt32(getpid()))
    #expect(try update("mail", ("while-pid", pid), ("max", .int64(-1))) != nil)
    try fixture.waitForBus()
    #expect(fixture.service.watchedProcessCount == 0)
  }

  @Test func onlySoManyProcessesAreWatched() throws {
    var children: [SpawnedProcess] = []
    defer { for child in children { child.send(signal: SIGKILL) } }
    for number in 0..<BadgeLimits.watchedProcesses {
      let child = try SpawnedProcess("sleep", ["100"])
      children.append(child)
      #expect(
        try update(
          "a\(number)",
          ("count", .int64(1)),
          ("while-pid", .int64(Int64(child.processID)))
        ) == nil
      )
    }
    let own = Value.uint32(UInt32(getpid()))
    let error = try #require(try update("more", ("count", .int64(1)), ("while-pid", own)))
    #expect(error.name == .limitsExceeded)
    // What is watched can get further badges, and what goes makes room.
    let first = Value.int64(Int64(children[0].processID))
    #expect(try update("again", ("count", .int64(1)), ("while-pid", first)) == nil)
    _ = try fixture.call("Remove", .string("a1"))
    #expect(try update("more", ("count", .int64(1)), ("while-pid", own)) == nil)
  }

  @Test func aProcessIsToldByItsNumberAndStart() throws {
    let own = try #require(OwnerProcess(living: UInt32(getpid())))
    #expect(own.processID == UInt32(getpid()))
    #expect(own.startTime > 0)
    #expect(OwnerProcess(living: UInt32(Int32.max)) == nil)
    let watches = ProcessWatches(loop: fixture.loop)
    #expect(watches.adopt(own))
    let successor = OwnerProcess(processID: own.processID, startTime: own.startTime + 1)
    #expect(!watches.adopt(successor))
  }
}

@Suite struct RestorationTests {
  private static let now = Instant.now().nanoseconds
  private static let second: Int64 = 1_000_000_000

  private func record(_ id: String, ttl deadline: Int64? = nil, owner: OwnerProcess? = nil) throws
    -> BadgeRecord
  {
    var record = BadgeRecord(id: try BadgeID(id))
    record.native = BadgeRecord.Native(unnamed: .number(1))
    record.deadline = deadline
    record.owner = owner
    return record
  }

  private func restore(_ state: StoredState, on clock: BootClock) throws -> BadgeBook {
    let log = Log(style: .priorities) { _ in true }
    return Restoration(of: state, on: clock, log: log)
      .book(watching: ProcessWatches(loop: try EventLoop()))
  }

  @Test func withinABootDeadlinesStay() throws {
    var state = StoredState()
    state.settings.bootID = "a"
    state.badges = [
      try record("kept", ttl: Self.now + 60 * Self.second), try record("over", ttl: 1),
      try record("plain"),
    ]
    let book = try restore(state, on: BootClock(bootID: "a", epoch: 0))
    #expect(book.badges.map(\.id.rawValue).sorted() == ["kept", "plain"])
    #expect(book.nextDeadline == Self.now + 60 * Self.second)
  }

  @Test func afterARebootTheWallTellsWhatIsLeft() throws {
    // That boot began at 1,000 s; the badge was to go 500 s later, at 1,500 s.
    let earlier = BootClock(bootID: "a", epoch: 1_000 * Self.second)
    let deadline = 500 * Self.second
    func left(at wall: Int64) -> Int64 {
      let now = 10 * Self.second
      let clock = BootClock(bootID: "b", epoch: wall * Self.second - now)
      return (clock.deadline(deadline, of: earlier, now: now) - now) / Self.second
    }
    #expect(left(at: 1_200) == 300)
    #expect(left(at: 1_499) == 1)
    #expect(left(at: 1_500) == 0)
    #expect(left(at: 9_999) == 0)
    // A clock that fell back to the start of time makes it last no longer.
    #expect(left(at: 0) == 500)
  }

  @Test func afterARebootProcessesAreGone() throws {
    let own = try #require(OwnerProcess(living: UInt32(getpid())))
    var state = StoredState()
    state.settings.bootID = "a"
    state.badges = [try record("mail", owner: own)]
    #expect(try restore(state, on: BootClock(bootID: "a", epoch: 0)).badges.count == 1)
    #expect(try restore(state, on: BootClock(bootID: "b", epoch: 0)).badges.isEmpty)
  }

  @Test func aProcessThatEndedMeanwhileTakesItsBadgesAlong() throws {
    let own = try #require(OwnerProcess(living: UInt32(getpid())))
    let successor = OwnerProcess(processID: own.processID, startTime: own.startTime + 1)
    var state = StoredState()
    state.settings.bootID = "a"
    state.badges = [try record("mail", owner: own), try record("gone", owner: successor)]
    let book = try restore(state, on: BootClock(bootID: "a", epoch: 0))
    #expect(book.badges.map(\.id.rawValue) == ["mail"])
  }

  @Test func theSettingsTellOfThisBootFromNowOn() throws {
    var state = StoredState()
    state.settings.bootID = "a"
    state.badges = [try record("mail", ttl: 5)]
    let log = Log(style: .priorities) { _ in true }
    let clock = BootClock(bootID: "b", epoch: 7)
    let restoration = Restoration(of: state, on: clock, log: log)
    #expect(restoration.settings.bootID == "b")
    #expect(restoration.settings.bootEpoch == 7)
    #expect(restoration.needsRewriting)
    state.badges = [try record("mail")]
    #expect(!Restoration(of: state, on: clock, log: log).needsRewriting)
  }

  @Test func thisBootHasAnIdentity() {
    let clock = BootClock.now()
    #expect(clock.bootID.utf8.count == 36)
    let wall = clock.epoch + Instant.now().nanoseconds
    #expect(abs(wall - WallClock.nanoseconds()) < Self.second)
  }
}

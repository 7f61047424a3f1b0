// SPDX-License-Identifier: MIT
import BadgeCore
import DBus
import EventLoop
import TestSupport
import Testing

@testable import BadgeService

/// Records what the publisher sends, one line a signal.
final class RecordingSink: SignalSink {
  var unreadBytes = 0
  var lines: [String] = []
  var keys: [BadgeKeySet] = []

  func send(_ signal: ChangedSignal) {
    let badge = signal.new.badge
    let label = badge.kind == .dot ? "•" : badge.label
    let hint = signal.hint
    lines.append(
      "#\(signal.revision) \(signal.id) \(label) \(hint.event) \(hint.animation) \(hint.direction)"
    )
    keys.append(signal.keys)
  }

  func send(_ signal: RemovedSignal) {
    let hint = signal.hint
    lines.append(
      "#\(signal.revision) \(signal.id) \(signal.reason.rawValue) \(hint.event) \(hint.animation)"
    )
  }

  /// The lines since the last time.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// A publisher and a book, on a clock that stands still until it is moved.
final class PublisherFixture {
  var book = BadgeBook()
  var now = Instant(nanoseconds: 1_000_000_000_000)
  let sink = RecordingSink()
  let publisher: Publisher

  init(_ prepare: (inout BadgeBook) throws -> Void = { _ in }) throws {
    try prepare(&book)
    publisher = Publisher(sink: sink)
    publisher.begin(with: book)
  }

  func change(
    _ raw: String = "mail",
    _ body: (inout BadgeBook, BadgeID) throws(BadgeError) -> BadgeChange
  ) throws(BadgeError) {
    let id = try BadgeID(raw)
    let subject = publisher.prepare(id, in: book)
    switch try body(&book, id) {
    case .none, .several: break
    case .updated: publisher.markChanged(subject)
    case .removed(_, let reason): publisher.markRemoved(subject, reason)
    }
  }

  func set(_ count: Int64, _ id: String = "mail") throws {
    try change(id) { (book, id) throws(BadgeError) in try book.setCount(count, for: id) }
  }

  func remove(_ id: String = "mail") throws {
    try change(id) { (book, id) throws(BadgeError) in try book.remove(id) }
  }

  /// Ends the turn, `milliseconds` after the one before.
  ///
  /// - Returns: In how many milliseconds the publisher wants to come again.
  @discardableResult
  func endTurn(after milliseconds: Double = 0) -> Double? {
    now = now.advanced(byNanoseconds: Int64(milliseconds * 1e6))
    let next = publisher.publish(book, at: now)
    return next.map { Double($0.nanoseconds - now.nanoseconds) / 1e6 }
  }
}

@Suite struct PublisherTests {
  @Test func aLoneChangeGoesAtOnceAndLeavesNoTimer() throws {
    let fixture = try PublisherFixture()
    try fixture.set(3)
    #expect(fixture.endTurn() == nil)
    #expect(fixture.sink.take() == ["#1 mail 3 appear none none"])
    try fixture.set(5)
    #expect(fixture.endTurn(after: 50) == nil)
    #expect(fixture.sink.take() == ["#2 mail 5 change bounce up"])
  }

  @Test func changesThatPourInAreOneSignalAFrameWithTheLastState() throws {
    let fixture = try PublisherFixture()
    for count in 1...40 {
      try fixture.set(Int64(count))
      fixture.endTurn(after: 1)
    }
    // At 1, 17 and 33 ms; the last one waits for 49.
    #expect(
      fixture.sink.take() == [
        "#1 mail 1 appear none none", "#2 mail 17 change bounce up", "#3 mail 33 change bounce up",
      ]
    )
    #expect(fixture.endTurn() == 9)
    #expect(fixture.endTurn(after: 9) == nil)
    #expect(fixture.sink.take() == ["#4 mail 40 change bounce up"])
  }

  @Test func severalChangesOfATurnAreOneSignal() throws {
    let fixture = try PublisherFixture()
    for count in 1...10 { try fixture.set(Int64(count)) }
    fixture.endTurn()
    #expect(fixture.sink.take() == ["#1 mail 10 appear none none"])
  }

  @Test func theDirectionIsFromTheNumberSignalledLast() throws {
    let fixture = try PublisherFixture()
    try fixture.set(10)
    fixture.endTurn()
    try fixture.set(50)
    fixture.endTurn(after: 1)
    try fixture.set(3)
    fixture.endTurn(after: 1)
    _ = fixture.sink.take()
    fixture.endTurn(after: 20)
    #expect(fixture.sink.take() == ["#2 mail 3 change bounce down"])
  }

  @Test func aChangeThatEndsWhereItBeganSaysNothing() throws {
    let fixture = try PublisherFixture()
    try fixture.set(3)
    fixture.endTurn()
    try fixture.set(4)
    #expect(fixture.endTurn(after: 1) == 15)
    try fixture.set(3)
    fixture.endTurn(after: 1)
    #expect(fixture.endTurn(after: 20) == nil)
    #expect(fixture.sink.take() == ["#1 mail 3 appear none none"])
    #expect(fixture.publisher.revision == 1)
  }

  @Test func aBadgeMadeAndRemovedBeforeItWasSignalledSaysNothing() throws {
    let fixture = try PublisherFixture()
    try fixture.set(3)
    try fixture.remove()
    #expect(fixture.endTurn() == nil)
    #expect(fixture.sink.take() == [])
  }

  @Test func aRemovalNeverWaits() throws {
    let fixture = try PublisherFixture()
    try fixture.set(3)
    fixture.endTurn()
    try fixture.set(4)
    fixture.endTurn(after: 1)
    try fixture.remove()
    #expect(fixture.endTurn(after: 1) == nil)
    #expect(
      fixture.sink.take() == ["#1 mail 3 appear none none", "#2 mail removed disappear shrink"]
    )
  }

  @Test func whatFollowsARemovalIsANewBadgeInItsFrame() throws {
    let fixture = try PublisherFixture()
    try fixture.set(3)
    fixture.endTurn()
    _ = fixture.sink.take()
    for count in 4...6 {
      try fixture.remove()
      try fixture.set(Int64(count))
    }
    #expect(fixture.endTurn(after: 1) == 15)
    #expect(fixture.sink.take() == ["#2 mail removed disappear shrink"])
    #expect(fixture.endTurn(after: 15) == nil)
    #expect(fixture.sink.take() == ["#3 mail 6 appear none none"])
    #expect(fixture.sink.keys.last == .readable)
  }

  @Test func removingAndSettingTheSameValueIsNotMergedAway() throws {
    let fixture = try PublisherFixture()
    try fixture.set(3)
    fixture.endTurn()
    try fixture.remove()
    try fixture.set(3)
    fixture.endTurn(after: 50)
    #expect(
      fixture.sink.take() == [
        "#1 mail 3 appear none none", "#2 mail removed disappear shrink",
        "#3 mail 3 appear none none",
      ]
    )
  }

  @Test func aReadSendsWhatWaitsForTheBadgeReadAndNothingElse() throws {
    let fixture = try PublisherFixture()
    for id in ["a", "b"] {
      try fixture.set(1, id)
      fixture.endTurn()
      try fixture.set(2, id)
    }
    _ = fixture.sink.take()
    fixture.publisher.flush(try BadgeID("b"), fixture.book, at: fixture.now)
    #expect(fixture.sink.take() == ["#3 b 2 change bounce up"])
    fixture.publisher.flush(fixture.book, at: fixture.now)
    #expect(fixture.sink.take() == ["#4 a 2 change bounce up"])
    #expect(!fixture.publisher.isWaiting)
  }

  @Test func onlyKeysThatDifferAreTold() throws {
    let fixture = try PublisherFixture()
    try fixture.set(3)
    fixture.endTurn()
    #expect(fixture.sink.keys == [.readable])
    try fixture.change { (book, id) throws(BadgeError) in
      let update = try BadgeUpdate([("max", .integer(2)), ("background", .string("#00F"))])
      return try book.update(id, with: update, now: 0)
    }
    fixture.endTurn(after: 20)
    #expect(fixture.sink.keys.last == [.label, .max, .background])
  }

  @Test func aChangeOfTimeLeftAloneIsNotTold() throws {
    let fixture = try PublisherFixture()
    let update = try BadgeUpdate([("ttl", .integer(60))])
    for now: Int64 in [0, 1_000_000_000, 2_000_000_000] {
      try fixture.change { (book, id) throws(BadgeError) in
        try book.update(id, with: update, now: now)
      }
      fixture.endTurn(after: 20)
    }
    // Set anew each time: the deadline differs, so each counts as set.
    #expect(fixture.publisher.revision == 3)
    fixture.endTurn(after: 20_000)
    #expect(fixture.publisher.revision == 3)
  }

  @Test func badgesThatWereThereAreKnownFromList() throws {
    let fixture = try PublisherFixture { book in
      _ = try book.setCount(7, for: try BadgeID("mail"))
    }
    #expect(fixture.publisher.signalled.total == 7)
    try fixture.set(8)
    fixture.endTurn()
    #expect(fixture.sink.take() == ["#1 mail 8 change bounce up"])
    #expect(fixture.sink.keys == [[.count, .label]])
    try fixture.remove()
    fixture.endTurn()
    #expect(fixture.sink.take() == ["#2 mail removed disappear shrink"])
    #expect(fixture.publisher.signalled.total == 0)
  }

  @Test func whatQuietHidesAndShowsMovesNothing() throws {
    let fixture = try PublisherFixture { book in
      _ = try book.setCount(7, for: try BadgeID("mail"))
    }
    func quiet(_ isQuiet: Bool) throws {
      try fixture.change { book, id in
        if case .none = book.setQuiet(isQuiet) { return .none }
        return .updated(id)
      }
    }
    try quiet(true)
    fixture.endTurn(after: 20)
    try fixture.set(9)
    fixture.endTurn(after: 20)
    try quiet(false)
    fixture.endTurn(after: 20)
    #expect(
      fixture.sink.take() == [
        "#1 mail 7 disappear none none", "#2 mail 9 none none up", "#3 mail 9 appear none none",
      ]
    )
  }

  @Test func withoutAnimationsTheEventStays() throws {
    let fixture = try PublisherFixture()
    try fixture.set(1)
    fixture.endTurn()
    fixture.publisher.animating = false
    try fixture.set(2)
    fixture.endTurn(after: 20)
    try fixture.remove()
    fixture.endTurn(after: 20)
    #expect(
      fixture.sink.take() == [
        "#1 mail 1 appear none none", "#2 mail 2 change none up",
        "#3 mail removed disappear none",
      ]
    )
  }

  @Test func whileTheBusIsBehindTheNextFrameIsHeld() throws {
    let fixture = try PublisherFixture()
    try fixture.set(1)
    fixture.endTurn()
    fixture.sink.unreadBytes = 1 << 20
    try fixture.set(2)
    for _ in 1...5 { #expect(fixture.endTurn(after: 4) == 4) }
    #expect(fixture.sink.take() == ["#1 mail 1 appear none none"])
    fixture.sink.unreadBytes = 0
    // The frame took 20 ms: the next one comes after a pause of twice that.
    #expect(fixture.endTurn(after: 4) == 36)
    #expect(fixture.endTurn(after: 36) == nil)
    #expect(fixture.sink.take() == ["#2 mail 2 change bounce up"])
  }

  @Test func aBusThatNeverReadsHoldsAFrameNoLongerThanTheLongestGap() throws {
    let fixture = try PublisherFixture()
    try fixture.set(1)
    fixture.endTurn()
    fixture.sink.unreadBytes = 1 << 20
    try fixture.set(2)
    var waited = 0.0
    while fixture.sink.lines.count < 2, waited < 1_000 {
      fixture.endTurn(after: 4)
      waited += 4
    }
    #expect(waited <= 254)
  }

  @Test func aRemovalGoesWhileTheBusIsBehind() throws {
    let fixture = try PublisherFixture()
    for id in ["a", "b"] { try fixture.set(1, id) }
    fixture.endTurn()
    _ = fixture.sink.take()
    fixture.sink.unreadBytes = 1 << 20
    try fixture.set(2, "a")
    try fixture.remove("b")
    fixture.endTurn(after: 20)
    #expect(fixture.sink.take() == ["#3 b removed disappear shrink"])
  }

  @Test func aBadgeAtRestIsForgotten() throws {
    let fixture = try PublisherFixture()
    for number in 0..<500 { try fixture.set(1, "app-\(number)") }
    fixture.endTurn()
    #expect(fixture.publisher.rememberedCount == 500)
    fixture.endTurn(after: 16)
    #expect(fixture.publisher.rememberedCount == 0)
  }

  @Test func callsThatChangeNothingAreForgottenAtOnce() throws {
    let fixture = try PublisherFixture()
    for number in 0..<500 {
      try fixture.change("app-\(number)") { book, id in book.clear(id) }
    }
    fixture.endTurn()
    #expect(fixture.publisher.rememberedCount == 0)
    #expect(fixture.sink.take() == [])
  }

  @Test func theSumsAreOfWhatWasSignalled() throws {
    let fixture = try PublisherFixture()
    try fixture.set(3, "a")
    fixture.endTurn()
    try fixture.set(4, "a")
    try fixture.set(5, "b")
    fixture.endTurn(after: 1)
    #expect(fixture.publisher.signalled.total == 8)
    #expect(fixture.publisher.signalled.visible == 2)
    fixture.endTurn(after: 16)
    #expect(fixture.publisher.signalled.total == 9)
  }
}

@Suite(.privateBus) struct HintTests {
  let fixture: ServiceFixture

  init() throws {
    fixture = try ServiceFixture()
  }

  /// The hint of the one Changed or Removed that a call brings about.
  private func hint(_ member: String, _ arguments: Value...) throws -> [String: Value]? {
    // Frames would hold what follows too closely; a read lets it go.
    _ = try fixture.call("List")
    _ = fixture.takeSignals()
    _ = try fixture.call(member, with: arguments).get()
    _ = try fixture.call("List")
    let signals = fixture.takeSignals().filter { ["Changed", "Removed"].contains($0.member) }
    #expect(signals.count == 1)
    return signals.first?.values[2].entries
  }

  @Test func theCatalogueIsTheContracts() throws {
    let value = try #require(try fixture.property("Catalogue"))
    #expect(value.entries.mapValues(\.entries) == Catalogue.entries)
  }

  @Test func hintsAreCompleteEnoughToPlay() throws {
    let id = Value.string("mail")
    #expect(try hint("Set", id, .int64(1)) == Catalogue.hint("appear", "none", "none"))
    #expect(try hint("Set", id, .int64(5)) == Catalogue.hint("change", "bounce", "up"))
    #expect(try hint("Set", id, .int64(3)) == Catalogue.hint("change", "bounce", "down"))
    #expect(try hint("SetText", id, .string("x")) == Catalogue.hint("change", "bounce", "none"))
    #expect(try hint("Clear", id) == Catalogue.hint("disappear", "shrink", "none"))
    #expect(try hint("Set", id, .int64(-1)) == Catalogue.hint("none", "none", "down"))
    #expect(try hint("Remove", id) == Catalogue.hint("none", "none", "none"))
  }

  @Test func urgencyShakesUntilItIsCalmed() throws {
    let id = Value.string("mail")
    let urgent = Value.namedValues([("urgent", .boolean(true))])
    _ = try hint("Set", id, .int64(1))
    #expect(try hint("Update", id, urgent) == Catalogue.hint("attention", "shake", "none"))
    #expect(try hint("Set", id, .int64(2)) == Catalogue.hint("attention", "shake", "up"))
    #expect(try hint("Acknowledge", id) == Catalogue.hint("calm", "none", "none"))
    #expect(try hint("Set", id, .int64(0)) == Catalogue.hint("disappear", "shrink", "down"))
    #expect(try hint("Update", id, urgent) == Catalogue.hint("none", "none", "none"))
    #expect(try hint("Set", id, .int64(1)) == Catalogue.hint("attention", "shake", "up"))
    #expect(try hint("Remove", id) == Catalogue.hint("disappear", "shrink", "none"))
  }

  @Test(arguments: ["bounce", "shrink", "spring", "shake", "pop", "bump", "blink", "breathe"])
  func eachAnimationCanBeChosen(_ name: String) throws {
    let id = Value.string("mail")
    let style = Value.namedValues([
      ("count", .int64(1)), ("animation-appear", .string(name)),
      ("animation-change", .string(name)), ("animation-disappear", .string(name)),
    ])
    #expect(try hint("Update", id, style) == Catalogue.hint("appear", name, "none"))
    #expect(try hint("Set", id, .int64(2)) == Catalogue.hint("change", name, "up"))
    #expect(try hint("Remove", id) == Catalogue.hint("disappear", name, "none"))
  }
}

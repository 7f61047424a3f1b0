// SPDX-License-Identifier: MIT
import EventLoop
import Testing

@Suite struct TimerTests {
  let loop: EventLoop

  init() throws {
    loop = try EventLoop()
  }

  private func turn(until isDone: () -> Bool) throws {
    let deadline = Instant.now() + .seconds(10)
    while !isDone(), Instant.now() < deadline { try loop.runOnce(timeout: .seconds(1)) }
    #expect(isDone())
  }

  @Test func timersFireInOrderOfDeadlineAndThenOfScheduling() throws {
    var fired: [String] = []
    let start = Instant.now()
    loop.schedule(at: start + .milliseconds(3)) { fired.append("c") }
    loop.schedule(at: start + .milliseconds(1)) { fired.append("a") }
    loop.schedule(at: start + .milliseconds(1)) { fired.append("b") }
    try turn { fired.count == 3 }
    #expect(fired == ["a", "b", "c"])
    #expect(Instant.now() - start >= .milliseconds(3))
  }

  @Test func aTimerIsNeverEarly() throws {
    for microseconds in stride(from: 0, to: 2000, by: 170) {
      let deadline = Instant.now() + .microseconds(microseconds)
      var fired: Instant?
      loop.schedule(at: deadline) { fired = .now() }
      try turn { fired != nil }
      #expect(try #require(fired) >= deadline)
    }
  }

  @Test(arguments: [Int64.min, -1, 0, 1]) func aDeadlineInThePastFiresAtOnce(nanoseconds: Int64)
    throws
  {
    var fired = false
    loop.schedule(at: Instant(nanoseconds: nanoseconds)) { fired = true }
    try loop.runOnce(timeout: .seconds(5))
    #expect(fired)
  }

  @Test func aDeadlineBeyondAllTimeNeverFires() throws {
    loop.schedule(after: .seconds(Int64.max)) { Issue.record("fired") }
    let last = loop.schedule(at: Instant(nanoseconds: .max)) { Issue.record("fired") }
    #expect(try !loop.runOnce(timeout: .milliseconds(1)))
    #expect(last.isScheduled)
  }

  @Test func aCancelledTimerDoesNotFire() throws {
    var fired: [Int] = []
    let start = Instant.now()
    let timers = (0..<10).map { number in
      loop.schedule(at: start + .microseconds(number)) { fired.append(number) }
    }
    for number in [0, 3, 4, 9] { timers[number].cancel() }
    timers[3].cancel()
    try turn { fired.count == 6 }
    #expect(fired == [1, 2, 5, 6, 7, 8])
    #expect(timers.allSatisfy { !$0.isScheduled })
    timers[1].cancel()
  }

  @Test func anActionMayCancelATimerThatIsDueInTheSameTurn() throws {
    var victim: Timer?
    var fired = false
    loop.schedule(at: Instant(nanoseconds: 1)) {
      victim?.cancel()
      fired = true
    }
    victim = loop.schedule(at: Instant(nanoseconds: 2)) { Issue.record("cancelled before") }
    try loop.runOnce(timeout: .seconds(5))
    #expect(fired)
  }

  @Test func whatAnActionSchedulesWaitsForTheNextTurn() throws {
    var fired = 0
    let loop = self.loop
    func again() {
      fired += 1
      if fired < 3 { loop.schedule(at: Instant(nanoseconds: 0), again) }
    }
    again()
    try loop.runOnce(timeout: .seconds(5))
    #expect(fired == 2)
    try loop.runOnce(timeout: .seconds(5))
    #expect(fired == 3)
  }

  @Test func thousandsOfTimersInAnyOrderFireInOrder() throws {
    var generator = SystemRandomNumberGenerator()
    let start = Instant.now()
    var fired: [Int64] = []
    var timers: [Timer] = []
    for _ in 0..<5000 {
      let deadline = start + .nanoseconds(Int64.random(in: 0...2_000_000, using: &generator))
      timers.append(loop.schedule(at: deadline) { fired.append(deadline.nanoseconds) })
    }
    for timer in timers[0..<1000] { timer.cancel() }
    try turn { fired.count == 4000 }
    #expect(fired == timers[1000...].map(\.deadline.nanoseconds).sorted())
  }

  @Test func timersGoOffAfterWhatWasReadyInTheSameTurn() throws {
    let pipe = try Pipe()
    pipe.write()
    var order: [String] = []
    loop.schedule(at: Instant(nanoseconds: 0)) { order.append("timer") }
    try loop.watch(pipe.reader, for: .readable) { _ in
      order.append("watch")
      pipe.read()
    }
    try turn { order.count == 2 }
    #expect(order == ["watch", "timer"])
  }

  @Test func anIdleLoopIsNotWoken() throws {
    loop.schedule(after: .seconds(60)) {}.cancel()
    for _ in 0..<100 { loop.schedule(after: .milliseconds(1)) {}.cancel() }
    try loop.runOnce(timeout: .zero)
    let before = loop.wakeUpCount
    #expect(try !loop.runOnce(timeout: .milliseconds(30)))
    #expect(loop.wakeUpCount == before + 1)
  }

  @Test func aTimerCancelledInALaterTurnDoesNotWakeTheLoopWhenItWasTheLast() throws {
    let timer = loop.schedule(after: .milliseconds(5)) { Issue.record("cancelled") }
    try loop.runOnce(timeout: .zero)
    timer.cancel()
    #expect(try !loop.runOnce(timeout: .milliseconds(30)))
  }

  @Test func anEarlierTimerIsNotHeldUpByALaterOneArmedBefore() throws {
    let late = loop.schedule(after: .seconds(60)) {}
    try loop.runOnce(timeout: .zero)
    var fired = false
    loop.schedule(after: .milliseconds(1)) { fired = true }
    try turn { fired }
    #expect(late.isScheduled)
  }

  @Test func aLaterTimerFiresThoughTheEarlierItWasArmedForIsGone() throws {
    let early = loop.schedule(after: .milliseconds(2)) { Issue.record("cancelled") }
    var fired = false
    loop.schedule(after: .milliseconds(8)) { fired = true }
    try loop.runOnce(timeout: .zero)
    early.cancel()
    try turn { fired }
  }
}

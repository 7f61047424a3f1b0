// SPDX-License-Identifier: MIT
import EventLoop
import Glibc
import Testing

@Suite struct EventLoopTests {
  let loop: EventLoop

  init() throws {
    loop = try EventLoop()
  }

  @Test func hooksRunInOrderBeforeTheFirstWaitAndAfterEachTurn() throws {
    let pipe = try Pipe()
    pipe.write()
    let loop = self.loop
    var order: [String] = []
    try loop.watch(pipe.reader, for: .readable) { _ in
      order.append("event")
      loop.stop()
    }
    loop.onTurnEnd { order.append("one") }
    loop.onTurnEnd { order.append("two") }
    try loop.run()
    #expect(order == ["one", "two", "event", "one", "two"])
  }

  @Test func aCancelledHookDoesNotRunAndOneAddedByAHookDoes() throws {
    let loop = self.loop
    var order: [String] = []
    var second: TurnHook?
    var first: TurnHook?
    first = loop.onTurnEnd {
      order.append("first")
      second?.cancel()
      first?.cancel()
      loop.onTurnEnd { order.append("added") }
    }
    second = loop.onTurnEnd { order.append("second") }
    try loop.runOnce(timeout: .zero)
    #expect(order == ["first", "added", "added"])
    #expect(second?.isActive == false)
  }

  @Test func aRequestedTurnDoesNotWait() throws {
    loop.requestTurn()
    #expect(try loop.runOnce(timeout: .seconds(5)))
    #expect(try !loop.runOnce(timeout: .zero))
  }

  @Test func aHookMayRequestTheNextTurn() throws {
    let loop = self.loop
    var requests = 0
    loop.onTurnEnd {
      requests += 1
      if requests < 4 { loop.requestTurn() } else { loop.stop() }
    }
    try loop.run()
    #expect(requests == 4)
    #expect(loop.wakeUpCount == 3)
  }

  @Test func aLoopStoppedBeforeItRunsReturnsAndCanRunAgain() throws {
    loop.stop()
    try loop.run()
    let loop = self.loop
    var fired = false
    loop.schedule(after: .milliseconds(1)) {
      fired = true
      loop.stop()
    }
    try loop.run()
    #expect(fired)
  }

  @Test func stopWithinATurnLetsTheTurnFinish() throws {
    let pipes = [try Pipe(), try Pipe()]
    let loop = self.loop
    var calls = 0
    for pipe in pipes {
      pipe.write()
      try loop.watch(pipe.reader, for: .readable) { _ in
        calls += 1
        loop.stop()
      }
    }
    try loop.run()
    #expect(calls == 2)
  }

  @Test func aSignalIsHandedToItsHandler() throws {
    var seen: [CInt] = []
    // Sent to this thread, which blocks them: other threads of the suite would be ended by them.
    try loop.handleSignals([SIGUSR1, SIGUSR2]) { seen.append($0) }
    #expect(pthread_kill(pthread_self(), SIGUSR2) == 0)
    #expect(pthread_kill(pthread_self(), SIGUSR1) == 0)
    try loop.runOnce(timeout: .seconds(5))
    #expect(seen.sorted() == [SIGUSR1, SIGUSR2])
    #expect(try !loop.runOnce(timeout: .zero))
  }

  @Test func aDescriptorIsClosedWithItsOwner() throws {
    // The reader sees the end once the owner of the last writer is gone.
    let pipe = try Pipe()
    do {
      _ = OwnedDescriptor(adopting: fcntl(pipe.writer, F_DUPFD_CLOEXEC, 3))
      pipe.closeWriter()
    }
    var byte: UInt8 = 0
    #expect(unsafe read(pipe.reader, &byte, 1) == 0)
  }

  static let sums: [(Int64, Duration, Int64)] = [
    (5, .nanoseconds(7), 12),
    (5, .nanoseconds(-7), -2),
    (5, .seconds(Int64.max), .max),
    (-5, .seconds(Int64.min), .min),
    (.max, .nanoseconds(1), .max),
    (.min, .nanoseconds(-1), .min),
  ]

  @Test(arguments: sums) func additionSaturates(start: Int64, step: Duration, sum: Int64) {
    #expect((Instant(nanoseconds: start) + step).nanoseconds == sum)
  }

  static let differences: [(Int64, Duration, Int64)] = [
    (5, .nanoseconds(7), -2),
    (-5, .seconds(Int64.max), .min),
    (5, .seconds(Int64.min), .max),
  ]

  @Test(arguments: differences) func subtractionSaturates(
    start: Int64,
    step: Duration,
    difference: Int64
  ) {
    #expect((Instant(nanoseconds: start) - step).nanoseconds == difference)
  }

  @Test func theDistanceOfTwoInstantsIsADuration() {
    let (first, last) = (Instant(nanoseconds: .min), Instant(nanoseconds: .max))
    #expect(Instant(nanoseconds: 1_500_000_000) - Instant(nanoseconds: 0) == .milliseconds(1500))
    #expect(last - first > .zero)
    #expect(first < last)
    #expect((last - first).saturatedNanoseconds == .max)
  }
}

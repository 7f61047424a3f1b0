// SPDX-License-Identifier: MIT
import CLinux
import EventLoop
import Glibc
import Testing

@Suite struct WatchTests {
  let loop: EventLoop

  init() throws {
    loop = try EventLoop()
  }

  @Test func aReadableDescriptorCallsItsHandlerUntilItIsRead() throws {
    let pipe = try Pipe()
    var calls: [Readiness] = []
    try loop.watch(pipe.reader, for: .readable) { calls.append($0) }
    pipe.write()
    #expect(try loop.runOnce(timeout: .seconds(5)))
    #expect(try loop.runOnce(timeout: .seconds(5)))
    pipe.read()
    #expect(try !loop.runOnce(timeout: .zero))
    #expect(calls == [.readable, .readable])
  }

  @Test func interestCanBeTakenBackAndGivenAgain() throws {
    let pipe = try Pipe()
    var calls = 0
    let watch = try loop.watch(pipe.writer, for: .writable) { _ in calls += 1 }
    try loop.runOnce(timeout: .seconds(5))
    watch.interest = []
    #expect(try !loop.runOnce(timeout: .zero))
    #expect(watch.isActive)
    watch.interest = .writable
    try loop.runOnce(timeout: .seconds(5))
    #expect(calls == 2)
  }

  @Test func withNoInterestAHangUpIsStillReported() throws {
    let pipe = try Pipe()
    var seen: Readiness = []
    let watch = try loop.watch(pipe.writer, for: []) { seen = $0 }
    #expect(try !loop.runOnce(timeout: .zero))
    pipe.closeReader()
    try loop.runOnce(timeout: .seconds(5))
    #expect(seen == .error)
    watch.cancel()
  }

  @Test func aHandlerMayCancelItsOwnWatch() throws {
    let pipe = try Pipe()
    var calls = 0
    var watch: Watch?
    watch = try loop.watch(pipe.reader, for: .readable) { _ in
      calls += 1
      watch?.cancel()
      watch?.cancel()
    }
    pipe.write()
    try loop.runOnce(timeout: .seconds(5))
    #expect(try !loop.runOnce(timeout: .zero))
    #expect(calls == 1)
    #expect(watch?.isActive == false)
  }

  /// How often one of two watches that are ready is called in a turn, where each call does something
  /// to both.
  private func callsOfTwoReadyWatches(_ body: @escaping (Watch) -> Void) throws -> Int {
    let pipes = [try Pipe(), try Pipe()]
    var watches: [Watch] = []
    var calls = 0
    for pipe in pipes {
      pipe.write()
      watches.append(
        try loop.watch(pipe.reader, for: .readable) { _ in
          calls += 1
          for watch in watches { body(watch) }
        }
      )
    }
    try loop.runOnce(timeout: .seconds(5))
    return calls
  }

  @Test func aHandlerMayCancelAnotherWatchThatIsReadyToo() throws {
    #expect(try callsOfTwoReadyWatches { watch in watch.cancel() } == 1)
  }

  @Test func anEventOfAClosedDescriptorIsNotDeliveredToItsSuccessor() throws {
    let pipes = [try Pipe(), try Pipe()]
    var watches: [Watch] = []
    var stale = 0
    var fresh: [CInt] = []
    var successors: [Pipe] = []
    let loop = self.loop
    for pipe in pipes {
      pipe.write()
      watches.append(
        try loop.watch(pipe.reader, for: .readable) { _ in
          stale += 1
          guard stale == 1 else { return }
          for (pipe, watch) in zip(pipes, watches) {
            watch.cancel()
            pipe.closeReader()
          }
          // The numbers just freed come back at once, and nothing was written here.
          successors = [try? Pipe()].compactMap { $0 }
          for pipe in successors {
            _ = try? loop.watch(pipe.reader, for: .readable) { _ in fresh.append(pipe.reader) }
          }
        }
      )
    }
    try loop.runOnce(timeout: .seconds(5))
    #expect(stale == 1)
    #expect(successors.count == 1)
    #expect(fresh.isEmpty)
    for pipe in successors { pipe.write() }
    try loop.runOnce(timeout: .seconds(5))
    #expect(fresh == successors.map(\.reader))
  }

  @Test func aWatchOfADescriptorClosedTooEarlyDoesNotDisturbItsSuccessor() throws {
    let pipe = try Pipe()
    let number = pipe.reader
    let old = try loop.watch(number, for: .readable) { _ in Issue.record("closed long ago") }
    let other = try Pipe()
    pipe.closeReader()
    #expect(dup3(other.reader, number, O_CLOEXEC) == number)
    defer { _ = close(number) }
    var calls = 0
    let new = try loop.watch(number, for: .readable) { _ in calls += 1 }
    #expect(!old.isActive)
    old.interest = []
    old.cancel()
    other.write()
    try loop.runOnce(timeout: .seconds(5))
    #expect(calls == 1)
    #expect(new.isActive)
  }

  @Test func interestTakenBackDuringATurnStopsAnEventAlreadyFetched() throws {
    #expect(try callsOfTwoReadyWatches { watch in watch.interest = [] } == 1)
  }

  @Test func aDescriptorCanBeWatchedOnceOnly() throws {
    let pipe = try Pipe()
    try loop.watch(pipe.reader, for: .readable) { _ in }
    #expect(throws: SystemError(operation: "epoll_ctl", number: EEXIST)) {
      try loop.watch(pipe.reader, for: .writable) { _ in }
    }
  }

  @Test func whatCannotBeWatchedIsAnErrorThatSaysSo() throws {
    let file = unsafe open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
    defer { _ = close(file) }
    let error = #expect(throws: SystemError.self) {
      try loop.watch(file, for: .readable) { _ in }
    }
    #expect(error?.description == "epoll_ctl: Operation not permitted")
  }

  @Test func aWatchOutlivesNeitherHarmNorItsLoop() throws {
    let pipe = try Pipe()
    let watch = try EventLoop().watch(pipe.reader, for: .readable) { _ in }
    watch.interest = .writable
    watch.cancel()
    #expect(!watch.isActive)
  }

  @Test func moreEventsThanOneBatchHoldsAreAllDelivered() throws {
    let pipes = try (0..<150).map { _ in try Pipe() }
    var seen: Set<CInt> = []
    for pipe in pipes {
      pipe.write()
      try loop.watch(pipe.reader, for: .readable) { _ in
        seen.insert(pipe.reader)
        pipe.read()
      }
    }
    while try loop.runOnce(timeout: .zero) {}
    #expect(seen.count == 150)
  }
}

// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import BadgeStore

@Suite struct StateLockTests {
  @Test func aSecondStoreOfTheSameDirectoryIsRefusedAndToldByWhom() throws {
    let scratch = Scratch()
    let store = try BadgeStore.open(scratch.state)
    let error = #expect(throws: StoreError.self) { try BadgeStore.open(scratch.state) }
    #expect(error == .inUse(directory: scratch.state.path, processID: getpid()))
    #expect(error?.refusesStart == true)
    #expect(
      error?.description
        == "the state in '\(scratch.state.path)' is in use by process \(getpid())"
    )
    try store.close()
    try BadgeStore.open(scratch.state).close()
  }

  @Test func aSecondProcessIsRefusedWhileTheFirstHasTheDirectory() async throws {
    let scratch = Scratch()
    let store = try BadgeStore.open(scratch.state)
    let path = scratch.state.path
    let holder = getpid()
    await #expect(processExitsWith: .success) { [path = path as String, holder = holder as Int32] in
      let directory = StateDirectory(path: path)
      #expect(throws: StoreError.inUse(directory: path, processID: holder)) {
        try BadgeStore.open(directory, waiting: 30)
      }
    }
    try store.close()
    await #expect(processExitsWith: .success) { [path = path as String] in
      try BadgeStore.open(StateDirectory(path: path)).close()
    }
  }

  @Test func theLockEndsWithTheProcessThatHadIt() async throws {
    let scratch = Scratch()
    let path = scratch.state.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try BadgeStore.open(StateDirectory(path: path))
      kill(getpid(), SIGKILL)
      try store.close()
    }
    try BadgeStore.open(scratch.state).close()
  }

  @Test func whoWaitsGetsTheLockOnceItIsGivenUp() async throws {
    let scratch = Scratch()
    let path = scratch.state.path
    var store: BadgeStore? = try BadgeStore.open(scratch.state)
    async let opened = #expect(processExitsWith: .success) { [path = path as String] in
      Scratch.write([], to: path + "/waiting")
      try BadgeStore.open(StateDirectory(path: path), waiting: 20_000).close()
    }
    while Scratch.permissions(of: path + "/waiting") == nil {
      await Task.yield()
    }
    try store?.close()
    store = nil
    _ = await opened
  }

  @Test func aLockFileOfNoUseNamesNobody() throws {
    let scratch = Scratch()
    let store = try BadgeStore.open(scratch.state)
    Scratch.write(Array("garbage".utf8), to: scratch.state.lockPath)
    let error = #expect(throws: StoreError.self) { try BadgeStore.open(scratch.state) }
    #expect(error == .inUse(directory: scratch.state.path, processID: nil))
    #expect(error?.description.hasSuffix("by another process") == true)
    try store.close()
  }
}

// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import BadgeStore

@Suite struct StateDirectoryTests {
  @Test(arguments: [
    (["XDG_STATE_HOME": "/x/state", "HOME": "/home/me"], "/x/state/badged"),
    (["XDG_STATE_HOME": "", "HOME": "/home/me"], "/home/me/.local/state/badged"),
    (["XDG_STATE_HOME": "relative", "HOME": "/home/me"], "/home/me/.local/state/badged"),
    (["HOME": "/home/me"], "/home/me/.local/state/badged"),
    (["HOME": "nowhere"], nil),
    ([:], nil),
  ])
  func theStandardPlaceFollowsTheBaseDirectorySpecification(
    variables: [String: String],
    expected: String?
  ) {
    #expect(StateDirectory.standard { variables[$0] }?.path == expected)
  }

  @Test func aPathIsMadeAbsoluteAndLosesItsLastSlash() {
    #expect(StateDirectory(path: "/a/b//").path == "/a/b")
    #expect(StateDirectory(path: "/").path == "/")
    #expect(StateDirectory(path: "state").path.hasPrefix("/"))
    #expect(StateDirectory(path: "state").path.hasSuffix("/state"))
  }

  @Test func missingParentsAreMadeForTheUserAlone() throws {
    let scratch = Scratch()
    let directory = StateDirectory(path: scratch.path + "/a/b/badged")
    try directory.prepare()
    for part in ["/a", "/a/b", "/a/b/badged"] {
      #expect(Scratch.permissions(of: scratch.path + part) == 0o700)
    }
  }

  @Test func aDirectoryWithOnlyOurFilesIsClosedToOthers() throws {
    let scratch = Scratch()
    let directory = scratch.state
    unsafe mkdir(directory.path, 0o755)
    unsafe chmod(directory.path, 0o755)
    Scratch.write([], to: directory.databasePath)
    try directory.prepare()
    #expect(Scratch.permissions(of: directory.path) == 0o700)
  }

  @Test func aDirectoryWithOtherFilesIsLeftAsItIs() throws {
    let scratch = Scratch()
    let directory = scratch.state
    unsafe mkdir(directory.path, 0o755)
    unsafe chmod(directory.path, 0o755)
    Scratch.write([1], to: directory.path + "/somebody's")
    try directory.prepare()
    #expect(Scratch.permissions(of: directory.path) == 0o755)
  }

  @Test func aFileInTheWayIsAnError() {
    let scratch = Scratch()
    Scratch.write([1], to: scratch.path + "/state")
    #expect(throws: StoreError.unavailable(path: scratch.state.path, detail: "not a directory")) {
      try scratch.state.prepare()
    }
    let below = StateDirectory(path: scratch.path + "/state/below")
    #expect(throws: StoreError.self) { try below.prepare() }
  }

  @Test func aPlaceThatCanNeverHoldAStateIsToldFromADiskThatFails() throws {
    let scratch = Scratch()
    Scratch.write([1], to: scratch.path + "/file")
    unsafe symlink(scratch.path + "/nothing", scratch.path + "/link")
    for name in ["file", "file/below", "link", "link/below", String(repeating: "x", count: 300)] {
      let directory = StateDirectory(path: scratch.path + "/" + name)
      #expect(throws: StoreError.self, "\(name)") { try directory.verify() }
    }
    let missing = StateDirectory(path: scratch.path + "/a/b")
    try missing.verify()
    try missing.verify()
    #expect(Scratch.permissions(of: missing.path) == 0o700)
    unsafe mkdir(missing.databasePath, 0o700)
    #expect(
      throws: StoreError.unavailable(path: missing.databasePath, detail: "not a file")
    ) { try missing.verify() }
    for number in [ENOSPC, EDQUOT, EROFS, EIO] {
      #expect(FileError(call: "", path: "", number: number).isTransient)
    }
    for number in [EACCES, EPERM, ENOTDIR, ENOENT, ELOOP, ENAMETOOLONG, EEXIST] {
      #expect(!FileError(call: "", path: "", number: number).isTransient)
    }
  }

  @Test func permissionsHoldUnderAnyUmask() async {
    await #expect(processExitsWith: .success) {
      for mask: mode_t in [0, 0o022, 0o077, 0o777] {
        let scratch = Scratch()
        umask(mask)
        let store = try BadgeStore.open(scratch.state)
        var settings = StoredSettings()
        settings.animations = false
        var changes = StoreChanges()
        changes.settings = settings
        try store.save(changes)
        #expect(Scratch.permissions(of: scratch.state.path) == 0o700)
        let names = Scratch.names(in: scratch.state.path)
        #expect(names == ["badges.db", "badges.db-wal", "lock"])
        for name in names {
          #expect(Scratch.permissions(of: "\(scratch.state.path)/\(name)") == 0o600)
        }
        umask(0o022)
      }
    }
  }

  @Test func filesThatOthersCouldReadAreClosedToThem() throws {
    let scratch = Scratch()
    try BadgeStore.open(scratch.state).close()
    unsafe chmod(scratch.state.databasePath, 0o644)
    let store = try BadgeStore.open(scratch.state)
    #expect(Scratch.permissions(of: scratch.state.databasePath) == 0o600)
    try store.close()
  }
}

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

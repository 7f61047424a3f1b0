// SPDX-License-Identifier: MIT
import BadgeCore
import Glibc
import Testing

@testable import BadgeStore

/// A process that is killed while it saves.
@Suite struct CrashTests {
  private static let names = ["a", "b", "org.example.a-name-that-does-not-fit-in-line"]

  /// Saves numbers for ever, each by itself or in all three badges at once, and notes in a file
  /// which save has returned, until it is killed after `delay` microseconds.
  private static func saveForEver(
    _ directory: StateDirectory,
    from first: Int64,
    delay: Int
  ) throws {
    let notes = unsafe open(directory.path + ".notes", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let store = try BadgeStore.open(directory)
    // All that came before is there, even what an earlier process had no time to note.
    var noted = first - 1
    unsafe pwrite(notes, &noted, 8, 0)
    // Nothing catches the alarm: the process ends in the middle of what it does.
    var alarm = itimerval()
    alarm.it_value.tv_usec = max(1, delay)
    unsafe setitimer(CInt(ITIMER_REAL.rawValue), &alarm, nil)
    for number in first... {
      var changes = StoreChanges()
      for name in number % 3 == 0 ? names : [names[0]] {
        var record = BadgeRecord(id: try BadgeID(name))
        record.native = BadgeRecord.Native(unnamed: .number(number))
        changes.badges.append(record)
      }
      try store.save(changes)
      if number % 50 == 49 { try store.sync() }
      noted = number
      unsafe pwrite(notes, &noted, 8, 0)
    }
  }

  @Test func whatWasSavedBeforeAKillIsThereAfterIt() async throws {
    let scratch = Scratch()
    let directory = scratch.state
    let path = directory.path
    var random = RandomRecords(seed: 5)
    var next: Int64 = 1
    for _ in 0..<25 {
      let delay = Int.random(in: 0...20_000, using: &random)
      await #expect(processExitsWith: .signal(SIGALRM)) {
        [path = path as String, delay = delay as Int, next = next as Int64] in
        try Self.saveForEver(StateDirectory(path: path), from: next, delay: delay)
      }
      let bytes = Scratch.bytes(of: path + ".notes")
      let noted = bytes.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
      let store = try BadgeStore.open(directory)
      #expect(store.setAside == nil)
      let state = try store.load(bus: "")
      #expect(state.rejected.isEmpty)
      try store.close()
      let numbers = Dictionary(
        uniqueKeysWithValues: state.badges.map { ($0.id.rawValue, $0.native?.unnamed) }
      )
      guard case .number(let last)?? = numbers[Self.names[0]] else {
        // Killed before the first save returned.
        #expect(noted == 0)
        continue
      }
      // What returned is there; the save that was under way is there whole or not at all.
      #expect(last == noted || last == noted + 1)
      for name in Self.names.dropFirst() where last >= 3 {
        #expect(numbers[name] == .number(last - last % 3))
      }
      next = last + 1
    }
    #expect(next > 1000)
  }
}

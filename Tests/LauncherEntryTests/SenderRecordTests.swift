// SPDX-License-Identifier: MIT
import EventLoop
import LauncherEntry
import Testing

@Suite("What is stored of senders")
struct SenderRecordTests {
  private let start = Instant(nanoseconds: 0)

  private func key(_ sender: String, _ app: String) -> SenderStates.Key {
    SenderStates.Key(sender: sender, app: app)
  }

  private func say(_ states: inout SenderStates, _ sender: String, _ uri: String, _ count: Int64) {
    var update = LauncherUpdate()
    update.count = count
    _ = states.apply(update, to: uri, from: sender, now: start) { $0.fallback }
  }

  @Test("is each change once, and a deletion for what is gone")
  func changes() {
    var states = SenderStates()
    say(&states, ":1.1", "application://mail.desktop", 1)
    say(&states, ":1.1", "application://mail.desktop", 2)
    say(&states, ":1.2", "mail", 3)
    let changes = states.takeChanges()
    #expect(
      changes.mapValues { $0?.said.count } == [key(":1.1", "mail"): 2, key(":1.2", "mail"): 3]
    )
    say(&states, ":1.2", "mail", 3)
    let repeated = states.takeChanges()
    #expect(repeated.isEmpty)
    _ = states.remove(sender: ":1.2")
    let removed = states.takeChanges()
    #expect(removed == [key(":1.2", "mail"): nil])
  }

  @Test("may hold any order, and the next word still comes after it")
  func anyOrder() {
    var said = LauncherUpdate()
    said.count = 1
    var states = SenderStates()
    for (sender, order) in [(":1.1", Int64.max), (":1.2", .min)] {
      _ = states.restore([key(sender, "mail"): SenderStates.Record(said: said, order: order)])
    }
    #expect(states.announcement(for: "mail")?.count == 1)
    for sender in [":1.2", ":1.1", ":1.3"] {
      say(&states, sender, "mail", 7)
      say(&states, sender, "mail", 8)
      #expect(states.announcement(for: "mail")?.count == 8)
    }
    let orders = states.takeChanges().compactMap { $0.value?.order }
    #expect(Set(orders).count == 3)
  }

  @Test("brings back the same badges, in the same order of senders")
  func restored() {
    var states = SenderStates()
    say(&states, ":1.1", "mail", 1)
    say(&states, ":1.2", "mail", 2)
    say(&states, ":1.1", "chat", 3)
    let records = states.takeChanges().compactMapValues(\.self)
    var later = SenderStates()
    let ids = later.restore(records)
    #expect(ids == ["chat", "mail"])
    #expect(later.announcement(for: "mail")?.count == 2)
    let changes = later.takeChanges()
    #expect(changes.isEmpty)
    say(&later, ":1.1", "mail", 5)
    #expect(later.announcement(for: "mail")?.count == 5)
    #expect(later.announcement(for: "chat")?.count == 3)
  }

  @Test("is stored under the app's present id after desktop files came")
  func restoredElsewhere() {
    var said = LauncherUpdate()
    said.count = 4
    var states = SenderStates()
    _ = states.restore([key(":1.1", "foo"): SenderStates.Record(said: said, order: 7)])
    let ids = states.resolveAgain { _ in "Foo" }
    #expect(ids == ["Foo", "foo"])
    let changes = states.takeChanges()
    #expect(
      changes == [
        key(":1.1", "foo"): nil, key(":1.1", "Foo"): SenderStates.Record(said: said, order: 7),
      ]
    )
  }

  @Test("is left out where it is beyond the limits or names no app")
  func tooMuch() {
    var records: [SenderStates.Key: SenderStates.Record] = [:]
    for number in 0..<200 {
      let app = number == 0 ? "" : "app\(number)"
      records[key(":1.1", app)] = SenderStates.Record(said: LauncherUpdate(), order: Int64(number))
    }
    var states = SenderStates()
    let ids = states.restore(records)
    #expect(ids.count == SenderStates.maximumAppsOfSender)
  }
}

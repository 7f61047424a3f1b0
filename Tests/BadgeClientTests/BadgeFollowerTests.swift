// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore
import DBus
import EventLoop
import TestSupport
import Testing

@Suite(.privateBus) struct BadgeFollowerTests {
  private let loop: EventLoop
  private let client: BadgeClient
  private let events = Events()

  private final class Events {
    var all: [BadgeEvent] = []
  }

  init() throws {
    loop = try EventLoop()
    client = try BadgeClient(address: PrivateBus.current.address)
    try client.attach(to: loop)
  }

  private func follow(_ ids: [String]? = nil) throws -> BadgeFollower {
    let ids = try ids.map { try $0.map { try BadgeID($0) } }
    return try BadgeFollower(client, ids: ids, on: loop) { [events] in events.all.append($0) }
  }

  /// Waits until so many events came, and none more.
  private func wait(for count: Int) throws -> [BadgeEvent] {
    guard try loop.run(until: { events.all.count >= count }) else {
      throw TestFailure("only \(events.all)")
    }
    return events.all
  }

  private func counts(_ event: BadgeEvent?) -> [String: Int64]? {
    guard case .snapshot(let list)? = event else { return nil }
    return Dictionary(uniqueKeysWithValues: list.badges.map { ($0.id.rawValue, $0.count) })
  }

  @Test("The state comes first, then each signal, with the badge whole and the hint")
  func follows() throws {
    let daemon = try FakeDaemon(.current, on: loop)
    daemon.badges = ["mail": [(.count, .int64(3)), (.font, .string("Sans"))]]
    daemon.revision = 7
    let follower = try follow()
    #expect(counts(try wait(for: 1)[0]) == ["mail": 3])

    try daemon.change(
      "mail",
      [(.count, .int64(4))],
      revision: 8,
      hint: [
        ("event", .string("change")), ("name", .string("bounce")), ("direction", .string("up")),
        ("property", .string("scale")), ("duration", .double(0.2)), ("repeat", .uint32(1)),
        (
          "keyframes",
          .array(
            Signature(constant: "(dd)"),
            [.structure([.double(0), .double(1.5)]), .structure([.double(1), .double(1)])]
          )
        ),
        ("timing", .structure([.double(0.4), .double(1.3), .double(1), .double(1)])),
        ("from-the-future", .uint64(1)),
      ]
    )
    try daemon.change("chat", [(.kind, .string("dot"))], isWhole: true, revision: 9)
    try daemon.remove("mail", revision: 10)
    let events = try wait(for: 4)
    guard case .changed(let mail, let hint, 8) = events[1] else {
      throw TestFailure("\(events[1])")
    }
    #expect(mail.count == 4)
    #expect(mail.string(.font) == "Sans")
    #expect(hint.name == "bounce")
    #expect(hint.direction == "up")
    #expect(hint.keyframes == [.init(offset: 0, value: 1.5), .init(offset: 1, value: 1)])
    #expect(hint.timing == [0.4, 1.3, 1, 1])
    #expect(hint.spring == nil)
    guard case .removed(let id, reason: "removed", _, revision: 10) = events[3] else {
      throw TestFailure("\(events[3])")
    }
    #expect(id.rawValue == "mail")
    #expect(follower.badges.map(\.key.rawValue) == ["chat"])
    #expect(daemon.listCount == 1)
  }

  @Test("A gap in the revisions, or a signal that cannot be read, means: the state again")
  func listsAfterGaps() throws {
    let daemon = try FakeDaemon(.current, on: loop)
    daemon.revision = 7
    let follower = try follow()
    #expect(counts(try wait(for: 1)[0]) == [:])

    daemon.badges = ["mail": [(.count, .int64(5))]]
    daemon.revision = 9
    try daemon.change("mail", [(.count, .int64(5))], isWhole: true, revision: 9)
    #expect(counts(try wait(for: 2)[1]) == ["mail": 5])

    // A badge that is new, but not whole.
    daemon.revision = 10
    try daemon.change("new", [(.count, .int64(1))], revision: 10)
    #expect(counts(try wait(for: 3)[2]) == ["mail": 5])

    for member in ["Changed", "Removed"] { try daemon.signalNonsense(member) }
    #expect(counts(try wait(for: 4)[3]) == ["mail": 5])
    follower.cancel()
  }

  @Test("What is in the state already is not told again")
  func skipsOldRevisions() throws {
    let daemon = try FakeDaemon(.current, on: loop)
    daemon.badges = ["mail": [(.count, .int64(5))]]
    daemon.revision = 7
    let follower = try follow()
    _ = try wait(for: 1)
    try daemon.change("mail", [(.count, .int64(4))], revision: 6)
    try daemon.change("mail", [(.count, .int64(5))], revision: 7)
    try daemon.remove("mail", revision: 7)
    try daemon.change("mail", [(.count, .int64(6))], revision: 8)
    guard case .changed(let badge, _, revision: 8) = try wait(for: 2)[1] else {
      throw TestFailure("\(events.all)")
    }
    #expect(badge.count == 6)
    #expect(daemon.listCount == 1)
    follower.cancel()
  }

  @Test(
    "Only the badges that were asked for are told of, and gaps mean nothing then",
    arguments: [2, 40]
  )
  func filters(idCount: Int) throws {
    let daemon = try FakeDaemon(.current, on: loop)
    daemon.badges = ["mail": [(.count, .int64(5))], "other": [(.count, .int64(1))]]
    let ids = ["application://mail.desktop"] + (1..<idCount).map { "id\($0)" }
    let follower = try follow(ids)
    #expect(counts(try wait(for: 1)[0]) == ["mail": 5])
    try daemon.change("other", [(.count, .int64(2))], revision: 1)
    try daemon.change("mail", [(.count, .int64(6))], revision: 2)
    try daemon.remove("other", revision: 3)
    try daemon.change("id1", [(.count, .int64(7))], isWhole: true, revision: 4)
    let events = try wait(for: 3)
    guard case .changed(let mail, _, revision: 2) = events[1],
      case .changed(let other, _, revision: 4) = events[2]
    else { throw TestFailure("\(events)") }
    #expect((mail.count, other.count) == (6, 7))
    #expect(daemon.listCount == 1)
    follower.cancel()
  }

  @Test("A daemon that leaves is away, once, and its next one is asked for the state")
  func survivesRestarts() throws {
    let follower = try follow()
    #expect(try wait(for: 1) == [.away])
    for round in 1...3 {
      let daemon = try FakeDaemon(.current, on: loop)
      daemon.badges = ["mail": [(.count, .int64(Int64(round)))]]
      #expect(counts(try wait(for: 2 * round).last) == ["mail": Int64(round)])
      daemon.leave()
      #expect(try wait(for: 2 * round + 1).last == .away)
    }
    #expect(follower.badges.map(\.value.count) == [3])
    follower.cancel()
  }

  @Test("A stranger's signals, also those sent to it alone, are not believed")
  func ignoresStrangers() throws {
    let daemon = try FakeDaemon(.current, on: loop)
    daemon.badges = ["mail": [(.count, .int64(5))]]
    let follower = try follow()
    _ = try wait(for: 1)
    let stranger = try Connection(address: PrivateBus.current.address)
    for (path, interface) in [("/org/badged/Badges1", "org.badged.Badges1")] {
      try stranger.send(
        signal: MemberName(constant: "Removed"),
        of: try #require(InterfaceName(interface)),
        from: try #require(ObjectPath(path)),
        to: client.connection.uniqueName
      ) { body in
        body.append("mail")
        body.append("removed")
        body.appendDictionary { _ in }
        body.append(UInt64(1))
      }
    }
    stranger.flush()
    try daemon.change("mail", [(.count, .int64(6))], revision: 1)
    guard case .changed = try wait(for: 2)[1] else { throw TestFailure("\(events.all)") }
    stranger.close()
    follower.cancel()
  }

  @Test("A daemon that refuses is away, and is not asked all the time")
  func waitsAfterRefusals() throws {
    let daemon = try FakeDaemon(.current, on: loop)
    daemon.refusal = .accessDenied("no")
    let follower = try follow()
    #expect(try wait(for: 1) == [.away])
    daemon.refusal = nil
    daemon.badges = ["mail": []]
    #expect(counts(try wait(for: 2)[1]) == ["mail": 0])
    #expect(daemon.listCount == 1)
    follower.cancel()
  }

  @Test("A bus that goes is the last that is told")
  func endsWithBus() throws {
    let daemon = try FakeDaemon(.current, on: loop)
    let follower = try follow()
    _ = try wait(for: 1)
    PrivateBus.current.stop()
    // The bus may see the daemon off before this client.
    #expect(try loop.run { events.all.last == .disconnected })
    let count = events.all.count
    follower.cancel()
    daemon.leave()
    #expect(events.all.count == count)
  }

  @Test("A follower that was cancelled tells nothing more, also from within its handler")
  func cancels() throws {
    let daemon = try FakeDaemon(.current, on: loop)
    let events = Events()
    var follower: BadgeFollower?
    follower = try BadgeFollower(client, on: loop) { event in
      events.all.append(event)
      follower?.cancel()
    }
    #expect(try loop.run { !events.all.isEmpty })
    try daemon.change("mail", [], isWhole: true, revision: 1)
    let second = try follow()
    _ = try wait(for: 1)
    #expect(events.all.count == 1)
    second.cancel()
    follower = nil
  }
}

// SPDX-License-Identifier: MIT
import BadgeCore
import DBus
import EventLoop
import TestSupport

/// A stand-in for the daemon, on the loop of the test, that says what a test wants it to say.
final class FakeDaemon {
  static let name = BusName(constant: "org.badged.Badges1")
  private static let path = ObjectPath(constant: "/org/badged/Badges1")
  private static let interface = InterfaceName(constant: "org.badged.Badges1")

  /// What `List` answers; each badge is a whole one with these values in it.
  var badges: [String: [(BadgeKey, Value)]] = [:]
  var revision: UInt64 = 0
  /// What every call gets in place of an answer.
  var refusal: BusError?
  private(set) var listCount = 0
  private let connection: Connection

  init(_ bus: PrivateBus, on loop: EventLoop) throws {
    connection = try Connection(address: bus.address)
    try connection.attach(to: loop)
    connection.onMethodCall = { [unowned self] in answer($0) }
    guard try connection.requestName(Self.name, flags: .doNotQueue) == .primaryOwner else {
      throw TestFailure("somebody owns the daemon's name")
    }
  }

  /// Leaves the bus.
  func leave() { connection.close() }

  private func answer(_ call: Message) {
    if let refusal { return connection.reply(to: call, error: refusal) }
    listCount += 1
    try? connection.reply(to: call) { body throws(BusError) in
      body.append(revision)
      body.appendDictionary(key: .string, value: .namedValues) { list in
        for (id, values) in badges.sorted(by: { $0.key < $1.key }) {
          list.appendEntry(id) { entry in
            entry.appendDictionary { append(values, isWhole: true, to: &$0) }
          }
        }
      }
    }
  }

  /// Signals `Changed`; a whole badge has every key.
  func change(
    _ id: String,
    _ values: [(BadgeKey, Value)],
    isWhole: Bool = false,
    revision: UInt64,
    hint: [(String, Value)] = []
  ) throws {
    try connection.send(
      signal: MemberName(constant: "Changed"),
      of: Self.interface,
      from: Self.path
    ) { body in
      body.append(id)
      body.appendDictionary { append(values, isWhole: isWhole, to: &$0) }
      body.appendDictionary { for (key, value) in hint { $0.appendEntry(key, variant: value) } }
      body.append(revision)
    }
  }

  /// Signals `Removed`.
  func remove(_ id: String, revision: UInt64) throws {
    try connection.send(
      signal: MemberName(constant: "Removed"),
      of: Self.interface,
      from: Self.path
    ) { body in
      body.append(id)
      body.append("removed")
      body.appendDictionary { $0.appendEntry("event", variant: Value.string("disappear")) }
      body.append(revision)
    }
  }

  /// Signals something that no client could read.
  func signalNonsense(_ member: String) throws {
    try connection.send(
      signal: MemberName(member) ?? MemberName(constant: "Changed"),
      of: Self.interface,
      from: Self.path
    ) { $0.append("mail") }
  }

  private func append(
    _ values: [(BadgeKey, Value)],
    isWhole: Bool,
    to entries: inout MessageWriter
  ) {
    for key in BadgeKey.allCases where key.isReadable {
      let given = values.first { $0.0 == key }?.1
      guard given != nil || isWhole else { continue }
      entries.appendEntry(key.name, variant: given ?? Self.plain(key))
    }
  }

  private static func plain(_ key: BadgeKey) -> Value {
    switch key.signature {
    case "b": .boolean(false)
    case "x": .int64(0)
    case "d": .double(0)
    case "a{sx}": .dictionary(key: .string, value: Signature(.int64), [])
    default: .string("")
    }
  }
}

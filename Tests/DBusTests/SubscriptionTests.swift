// SPDX-License-Identifier: MIT
import EventLoop
import TestSupport
import Testing

@testable import DBus

@Suite(.privateBus)
struct SubscriptionTests {
  static let interface = InterfaceName(constant: "a.b")
  static let path = ObjectPath(constant: "/a")
  static let changed = MemberName(constant: "Changed")
  static let done = MemberName(constant: "Done")

  private static func emit(
    _ member: MemberName = changed,
    _ text: String = "",
    from connection: Connection,
    to destination: BusName? = nil
  ) throws {
    try connection.send(signal: member, of: interface, from: path, to: destination) {
      $0.append(text)
    }
  }

  private static func text(_ message: Message) -> String {
    guard case .string(let text)? = try? message.values().first else { return "?" }
    return text
  }

  /// Waits until the server has been asked something, and so has the client's rules.
  private static func settle(_ pair: ConnectionPair) throws {
    pair.server.onMethodCall = { [weak server = pair.server] in try? server?.reply(to: $0) }
    _ = try pair.call("Settle").get()
  }

  @Test func `a signal reaches whose rule asks for it`() throws {
    let pair = try ConnectionPair()
    var heard: [String] = []
    try pair.client.subscribe(.signal(Self.changed, of: Self.interface)) {
      heard.append("any \(Self.text($0))")
    }
    try pair.client.subscribe(
      MatchRule(type: .signal, interface: Self.interface, arguments: [0: "it's"])
    ) { heard.append("quoted \(Self.text($0))") }
    try pair.client.subscribe(.signal(Self.done)) { _ in heard.append("done") }
    try Self.settle(pair)
    try Self.emit(Self.changed, "it's", from: pair.server)
    try Self.emit(Self.changed, "other", from: pair.server)
    try Self.emit(Self.done, "x", from: pair.server)
    try pair.run { heard.last == "done" }
    #expect(heard == ["any it's", "quoted it's", "any other", "done"])
  }

  @Test func `equal rules are told the bus once, and taken back when the last one goes`() throws {
    let pair = try ConnectionPair()
    var heard: [String] = []
    let rule = MatchRule.signal(Self.changed, of: Self.interface)
    let first = try pair.client.subscribe(rule) { _ in heard.append("first") }
    let second = try pair.client.subscribe(rule) { _ in heard.append("second") }
    #expect(pair.client.subscriptions.ruleCount == 1)
    try pair.client.subscribe(.signal(Self.done)) { _ in heard.append("done") }
    try Self.settle(pair)
    try Self.emit(from: pair.server)
    try Self.emit(Self.done, from: pair.server)
    try pair.run { heard.last == "done" }
    first.cancel()
    first.cancel()
    #expect(!first.isActive && second.isActive)
    try Self.emit(from: pair.server)
    try Self.emit(Self.done, from: pair.server)
    try pair.run { heard.count == 5 }
    #expect(heard == ["first", "second", "done", "second", "done"])
    second.cancel()
    try Self.settle(pair)
    // The bus has no such rule any more: taking it back once more is an error.
    let text = rule.text
    let error = #expect(throws: BusError.self) {
      try pair.client.callAndWait(.bus(BusDriver.removeMatch)) { $0.append(text) }
    }
    #expect(error?.name.rawValue == "org.freedesktop.DBus.Error.MatchRuleNotFound")
  }

  @Test func `a handler may cancel, subscribe and close`() throws {
    let pair = try ConnectionPair()
    var heard: [String] = []
    var second: Subscription?
    let rule = MatchRule.signal(Self.changed, of: Self.interface)
    var first: Subscription?
    first = try pair.client.subscribe(rule) { [weak client = pair.client] _ in
      heard.append("first")
      first?.cancel()
      second?.cancel()
      _ = try? client?.subscribe(rule) { [weak client] _ in
        heard.append("later")
        client?.close()
      }
      _ = try? client?.subscribe(rule) { _ in heard.append("after the end") }
    }
    second = try pair.client.subscribe(rule) { _ in heard.append("second") }
    try Self.settle(pair)
    try Self.emit(from: pair.server)
    try pair.run { heard.count == 1 }
    try Self.settle(pair)
    try Self.emit(from: pair.server)
    try pair.run { !pair.client.isConnected }
    #expect(heard == ["first", "later"])
    #expect(throws: BusError.self) { try pair.client.subscribe(rule) { _ in } }
  }

  @Test func `a well-known sender is its owner and nobody else`() throws {
    let pair = try ConnectionPair()
    let name = BusName(constant: "org.example.Sender")
    var heard: [String] = []
    let subscription = try pair.client.subscribe(.signal(Self.changed, sender: name)) {
      heard.append(Self.text($0))
    }
    try pair.client.subscribe(.signal(Self.done)) { heard.append(Self.text($0)) }
    try Self.settle(pair)
    let client = try #require(pair.client.uniqueName)
    // Nobody owns the name, and what is addressed needs no rule to get here.
    try Self.emit(Self.changed, "forged", from: pair.server, to: client)
    try Self.emit(Self.done, "1", from: pair.server)
    try pair.run { heard.last == "1" }
    #expect(try pair.server.requestName(name) == .primaryOwner)
    try Self.emit(Self.changed, "true", from: pair.server)
    try pair.run { heard.last == "true" }
    let forger = try Connection(address: PrivateBus.current.address)
    try forger.attach(to: pair.loop)
    try Self.emit(Self.changed, "forged", from: forger, to: client)
    try Self.emit(Self.done, "2", from: forger)
    try pair.run { heard.last == "2" }
    #expect(try forger.requestName(name) == .inQueue)
    #expect(try pair.server.releaseName(name) == .released)
    try Self.emit(Self.changed, "taken over", from: forger)
    try pair.run { heard.last == "taken over" }
    #expect(heard == ["1", "true", "2", "taken over"])
    subscription.cancel()
    #expect(pair.client.subscriptions.ruleCount == 1)
  }

  @Test func `a name's owner is followed from now on, or from its next change`() throws {
    let pair = try ConnectionPair()
    let name = BusName(constant: "org.example.Followed")
    let server = try #require(pair.server.uniqueName)
    #expect(try pair.server.requestName(name) == .primaryOwner)
    var asked: [BusName?] = []
    var followed: [BusName?] = []
    let first = try NameOwner(of: name, on: pair.client) { asked.append($0) }
    var second: NameOwner? = try NameOwner(of: name, on: pair.client, asks: false) {
      followed.append($0)
    }
    #expect(!first.isKnown)
    try pair.run { first.isKnown }
    #expect(first.current == server && asked == [server])
    var released: Result<ReleaseNameReply, BusError>?
    pair.server.releaseName(name) { released = $0 }
    try pair.run { followed.count == 1 && released != nil }
    #expect(released == .success(.released))
    #expect(asked == [server, nil] && followed == [nil])
    #expect(first.current == nil)
    let rules = pair.client.subscriptions.ruleCount
    second = nil
    first.cancel()
    #expect(second == nil && rules == 1 && pair.client.subscriptions.ruleCount == 0)
    var requested: Result<RequestNameReply, BusError>?
    pair.server.requestName(name) { requested = $0 }
    var queue: Result<[BusName], BusError>?
    pair.server.queuedOwners(of: name) { queue = $0 }
    try pair.run { queue != nil }
    #expect(requested == .success(.primaryOwner) && queue == .success([server]))
    #expect(asked.count == 2)
    pair.server.close()
    pair.server.queuedOwners(of: name) { queue = $0 }
    #expect(queue?.isSuccess == false)
  }

  @Test func `a rule that cannot be is an error`() throws {
    let pair = try ConnectionPair()
    for rule in [MatchRule(arguments: [0: "a\0b"]), MatchRule(arguments: [64: "a"])] {
      let error = #expect(throws: BusError.self) { try pair.client.subscribe(rule) { _ in } }
      #expect(error?.name == .matchRuleInvalid)
    }
    #expect(pair.client.subscriptions.ruleCount == 0)
  }

  @Test func `a rule that the bus refuses is told`() throws {
    let limit = #"<limit name="max_match_rules_per_connection">1</limit>"#
    let bus = try PrivateBus(configuration: limit)
    let loop = try EventLoop()
    let connection = try Connection(address: bus.address)
    try connection.attach(to: loop)
    var failures: [(String, BusError)] = []
    connection.onSubscriptionFailure = { failures.append(($0, $1)) }
    try connection.subscribe(.signal(Self.changed)) { _ in }
    try connection.subscribe(.signal(Self.done)) { _ in }
    #expect(try loop.run { !failures.isEmpty })
    #expect(failures.map { $0.0 } == [MatchRule.signal(Self.done).text])
    #expect(failures.first?.1.name == .limitsExceeded)
  }
}

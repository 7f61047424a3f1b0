// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import DBus

/// A signal to be matched: where it comes from, what it is called, what it says.
struct SampleSignal: Sendable {
  var path = "/org/example/Test"
  var interface = "org.example.Test"
  var member = "Changed"
  var values: [Value] = []
  var isAddressed = false
}

/// What is sent in ``MatchRuleMatchingTests``, and what is asked for.
enum MatchSamples {
  static let signals: [SampleSignal] =
    [
      SampleSignal(),
      SampleSignal(path: "/"),
      SampleSignal(path: "/org/example/Testing"),
      SampleSignal(path: "/org/example/Test/a"),
      SampleSignal(path: "/org/example"),
      SampleSignal(interface: "org.example.Test.More"),
      SampleSignal(member: "Removed"),
      SampleSignal(isAddressed: true),
      SampleSignal(member: "Removed", values: [.string("mail")], isAddressed: true),
    ] + arguments.map { SampleSignal(values: $0) }

  static let arguments: [[Value]] = [
    [.string("mail")],
    [.string("it's")],
    [.string("")],
    [.string("mai")],
    [.string("mail"), .string("mail")],
    [.int64(5), .string("mail")],
    [.variant(.string("mail"))],
    [.array(.string, [.string("mail")])],
    [.namedValues([("mail", .int64(1))]), .string("mail")],
    [.structure([.string("a"), .byte(1)]), .double(1), .boolean(true), .string("mail")],
    [.objectPath(ObjectPath(constant: "/aa/bb"))],
    [.objectPath(ObjectPath(constant: "/aa/bb/cc"))],
    [.objectPath(.root)],
    [.string("/aa/bb")],
    [.string("/aa/bb/")],
    [.string("/aa/")],
    [.string("/aa")],
    [.string("/aa/bb/cc/")],
    [.string("/aa/bbc")],
    [.string("com.example.backend1")],
    [.string("com.example.backend1.foo")],
    [.string("com.example.backend1foo")],
    [.string("com.example")],
    [.string("com")],
    [.signature(.string)],
    [.byte(0), .string("com.example.backend1")],
  ]

  static let rules: [MatchRule] =
    [
      MatchRule(),
      MatchRule(kind: .signal),
      MatchRule(kind: .methodCall),
      MatchRule(kind: .error),
      MatchRule(path: .root),
      MatchRule(path: MatchRuleTests.path),
      MatchRule(pathNamespace: .root),
      MatchRule(pathNamespace: MatchRuleTests.path),
      MatchRule(interface: MatchRuleTests.interface),
      MatchRule(member: MatchRuleTests.member),
      MatchRule(sender: BusName(constant: ":1.999")),
      MatchRule(sender: .bus),
      MatchRule(destination: BusName(constant: ":1.999")),
      .signal(
        MatchRuleTests.member,
        of: MatchRuleTests.interface,
        from: MatchRuleTests.path
      ),
      MatchRule(arguments: [0: "mail", 1: "mail"]),
      MatchRule(arguments: [3: "mail"]),
      MatchRule(arguments: [63: "mail"]),
      MatchRule(member: MatchRuleTests.member, arguments: [1: "com.example.backend1"]),
    ]
    + ["mail", "it's", "", "/aa/bb", "com"].map { MatchRule(arguments: [0: $0]) }
    + ["mail", "/aa/bb"].map { MatchRule(arguments: [1: $0]) }
    + ["/", "/aa/bb", "/aa/bb/", "/aa/", "mail", ""].map { MatchRule(argumentPaths: [0: $0]) }
    + ["com", "com.example", "com.example.backend1", "mail"].map {
      MatchRule(argument0Namespace: $0)
    }
}

@Suite(.privateBus) struct MatchRuleMatchingTests {
  let sender: BusConnection
  let receiver: BusConnection

  init() throws {
    sender = try BusConnection(address: PrivateBus.current.address)
    receiver = try BusConnection(address: PrivateBus.current.address)
  }

  /// Sends every sample from `sender` and hands back what `receiver` got, the bus's filter being set
  /// by `rule`.
  private func exchange(_ rule: MatchRule) throws -> [Message] {
    try tellBus("AddMatch", rule.text)
    for (index, signal) in MatchSamples.signals.enumerated() {
      try sender.send(
        signal: try #require(MemberName(signal.member)),
        of: try #require(InterfaceName(signal.interface)),
        from: try #require(ObjectPath(signal.path)),
        to: signal.isAddressed ? receiver.uniqueName : nil
      ) { writer in
        for value in signal.values { writer.append(value) }
        // Tells the samples apart.
        while writer.signature.completeTypeCount < 9 { writer.append(UInt32(index)) }
      }
    }
    // A round trip of each: what the bus passes on has arrived by then.
    _ = try sender.callAndWait(.bus(MemberName(constant: "GetId")))
    _ = try receiver.callAndWait(.bus(MemberName(constant: "GetId")))
    try tellBus("RemoveMatch", rule.text)
    defer { receiver.deferred = [] }
    return receiver.deferred.filter { $0.sender == sender.uniqueName }
  }

  private func tellBus(_ method: StaticString, _ text: String) throws {
    _ = try receiver.callAndWait(.bus(MemberName(constant: method))) { $0.append(text) }
  }

  private func numbers(_ messages: [Message]) throws -> [UInt32] {
    try messages.map { message in
      guard case .uint32(let number) = try message.values().last else {
        throw TestFailure("not a sample")
      }
      return number
    }
  }

  @Test func aRuleMatchesHereWhatItMatchesOnTheBus() throws {
    // Everything, to match against; what is addressed comes without being asked for.
    let all = try exchange(MatchRule())
    #expect(all.count == MatchSamples.signals.count)
    let addressed = try numbers(all.filter { $0.destination != nil })
    for rule in MatchSamples.rules {
      let expected = try numbers(exchange(rule)).filter { !addressed.contains($0) }
      let found = try numbers(all.filter { rule.matches($0) && $0.destination == nil })
      #expect(found == expected, "\(rule.text)")
    }
  }

  @Test func aWellKnownSenderIsItsOwnerWhereThatIsKnown() throws {
    let name = BusName(constant: "org.example.Test")
    #expect(try sender.requestName(name) == .primaryOwner)
    let rule = MatchRule(sender: name)
    let messages = try exchange(rule)
    #expect(messages.count == MatchSamples.signals.count)
    let message = try #require(messages.first)
    #expect(rule.matches(message))
    #expect(rule.matches(message, senderOwner: sender.uniqueName))
    #expect(!rule.matches(message, senderOwner: receiver.uniqueName))
    #expect(MatchRule(sender: sender.uniqueName).matches(message))
    #expect(!MatchRule(sender: receiver.uniqueName).matches(message))
    #expect(!MatchRule(sender: .bus).matches(message))
  }

  @Test func theDestinationCanBeAskedFor() throws {
    let messages = try exchange(MatchRule())
    let rule = MatchRule(destination: receiver.uniqueName)
    #expect(messages.filter { rule.matches($0) }.count == 2)
    #expect(!messages.contains { MatchRule(destination: sender.uniqueName).matches($0) })
  }

  @Test func aConditionOnAnArgumentThatCannotBeIsNoTrap() throws {
    let message = try #require(try exchange(MatchRule()).last)
    #expect(!MatchRule(arguments: [1000: ""]).matches(message))
    #expect(!MatchRule(argumentPaths: [.max: ""]).matches(message))
    #expect(MatchRule(arguments: [-1: ""]).matches(message))
  }
}

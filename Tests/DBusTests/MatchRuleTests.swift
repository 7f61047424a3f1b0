// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import DBus

/// A rule and what there is to say about it; `Sendable` so that it can be an argument of a test.
struct RuleCase: Sendable, CustomTestStringConvertible {
  let rule: MatchRule
  let text: String

  var testDescription: String { text }

  init(_ rule: MatchRule, _ text: String) {
    self.rule = rule
    self.text = text
  }
}

@Suite struct MatchRuleTests {
  static let path = ObjectPath(constant: "/org/example/Test")
  static let interface = InterfaceName(constant: "org.example.Test")
  static let member = MemberName(constant: "Changed")

  static let texts: [RuleCase] = [
    RuleCase(MatchRule(), ""),
    RuleCase(MatchRule(type: .signal), "type='signal'"),
    RuleCase(MatchRule(type: .methodCall), "type='method_call'"),
    RuleCase(MatchRule(type: .methodReturn), "type='method_return'"),
    RuleCase(MatchRule(type: .error), "type='error'"),
    RuleCase(
      .signal(member, of: interface, from: path, sender: .bus),
      "type='signal',sender='org.freedesktop.DBus',path='/org/example/Test',"
        + "interface='org.example.Test',member='Changed'"
    ),
    RuleCase(MatchRule(destination: BusName(constant: ":1.7")), "destination=':1.7'"),
    RuleCase(MatchRule(arguments: [10: "b", 2: "a"]), "arg2='a',arg10='b'"),
    RuleCase(MatchRule(arguments: [0: ""]), "arg0=''"),
    RuleCase(MatchRule(arguments: [0: "it's"]), #"arg0='it'\''s'"#),
    RuleCase(MatchRule(arguments: [0: "''"]), #"arg0=''\'''\'''"#),
    RuleCase(MatchRule(arguments: [0: #"a\,b=c "d" "#]), #"arg0='a\,b=c "d" '"#),
    RuleCase(MatchRule(arguments: [0: "e\u{301}'\u{301}é"]), "arg0='e\u{301}'\\''\u{301}é'"),
  ]

  @Test(arguments: texts) func aRuleIsWrittenAsTheSpecificationQuotes(_ example: RuleCase) throws {
    #expect(example.rule.text == example.text)
    #expect(example.rule.text.utf8.elementsEqual(example.text.utf8))
    _ = try example.rule.validText()
  }

  @Test(.privateBus, arguments: texts) func aBusTakesWhatIsWritten(_ example: RuleCase) throws {
    let connection = try Connection(address: PrivateBus.current.address)
    _ = try connection.callAndWait(.bus(MemberName(constant: "AddMatch"))) {
      $0.append(example.rule.text)
    }
  }

  static let invalid: [RuleCase] = [
    RuleCase(MatchRule(arguments: [64: ""]), "arguments are counted from 0 to 63: '64'"),
    RuleCase(MatchRule(arguments: [-1: ""]), "arguments are counted from 0 to 63: '-1'"),
    RuleCase(
      MatchRule(arguments: [0: String(repeating: "'", count: 400)]),
      "more than 1024 bytes: 1607"
    ),
  ]

  @Test(.privateBus, arguments: invalid) func whatABusRefusesIsFoundBefore(_ example: RuleCase)
    throws
  {
    let error = #expect(throws: BusError.self) { try example.rule.validText() }
    #expect(
      error
        == BusError(
          name: .matchRuleInvalid,
          message: "not a match rule: " + example.text
        )
    )
    let connection = try Connection(address: PrivateBus.current.address)
    let refusal = #expect(throws: BusError.self) {
      try connection.callAndWait(.bus(MemberName(constant: "AddMatch"))) {
        $0.append(example.rule.text)
      }
    }
    #expect([.matchRuleInvalid, .limitsExceeded].contains(refusal?.name))
  }

  @Test func aTextWithANulIsNoCondition() {
    #expect(throws: BusError.self) { try MatchRule(arguments: [0: "a\0"]).validText() }
  }
}

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
      MatchRule(type: .signal),
      MatchRule(type: .methodCall),
      MatchRule(type: .error),
      MatchRule(path: .root),
      MatchRule(path: MatchRuleTests.path),
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
}

@Suite(.privateBus) struct MatchRuleMatchingTests {
  let sender: Connection
  let receiver: Connection

  init() throws {
    sender = try Connection(address: PrivateBus.current.address)
    receiver = try Connection(address: PrivateBus.current.address)
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
        while writer.signature.completeTypes.count < 9 { writer.append(UInt32(index)) }
      }
    }
    // A round trip of each: what the bus passes on has arrived by then.
    _ = try sender.callAndWait(.bus(MemberName(constant: "GetId")))
    _ = try receiver.callAndWait(.bus(MemberName(constant: "GetId")))
    try tellBus("RemoveMatch", rule.text)
    return receiver.takeDeferred().filter { $0.sender == sender.uniqueName }
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
    #expect(!MatchRule(arguments: [.max: ""]).matches(message))
    #expect(MatchRule(arguments: [-1: ""]).matches(message))
  }
}

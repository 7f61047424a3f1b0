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
    RuleCase(MatchRule(kind: .signal), "type='signal'"),
    RuleCase(MatchRule(kind: .methodCall), "type='method_call'"),
    RuleCase(MatchRule(kind: .methodReturn), "type='method_return'"),
    RuleCase(MatchRule(kind: .error, eavesdrops: true), "type='error',eavesdrop='true'"),
    RuleCase(
      .signal(member, of: interface, from: path, sender: .bus),
      "type='signal',sender='org.freedesktop.DBus',path='/org/example/Test',"
        + "interface='org.example.Test',member='Changed'"
    ),
    RuleCase(
      MatchRule(destination: BusName(constant: ":1.7"), pathNamespace: path),
      "destination=':1.7',path_namespace='/org/example/Test'"
    ),
    RuleCase(
      MatchRule(arguments: [10: "b", 2: "a"], argumentPaths: [63: "/a/", 0: "/"]),
      "arg2='a',arg10='b',arg0path='/',arg63path='/a/'"
    ),
    RuleCase(MatchRule(argument0Namespace: "com"), "arg0namespace='com'"),
    RuleCase(MatchRule(arguments: [0: ""]), "arg0=''"),
    RuleCase(MatchRule(arguments: [0: "it's"]), #"arg0='it'\''s'"#),
    RuleCase(MatchRule(arguments: [0: "''"]), #"arg0=''\'''\'''"#),
    RuleCase(MatchRule(arguments: [0: #"a\,b=c "d" "#]), #"arg0='a\,b=c "d" '"#),
    RuleCase(MatchRule(arguments: [0: "e\u{301}'\u{301}é"]), "arg0='e\u{301}'\\''\u{301}é'"),
  ]

  @Test(arguments: texts) func aRuleIsWrittenAsTheSpecificationQuotes(_ example: RuleCase) throws {
    #expect(example.rule.text == example.text)
    #expect(example.rule.text.utf8.elementsEqual(example.text.utf8))
    try example.rule.validate()
  }

  @Test(.privateBus, arguments: texts) func aBusTakesWhatIsWritten(_ example: RuleCase) throws {
    let connection = try BusConnection(address: PrivateBus.current.address)
    _ = try connection.callAndWait(.bus(MemberName(constant: "AddMatch"))) {
      $0.append(example.rule.text)
    }
  }

  static let invalid: [RuleCase] = [
    RuleCase(
      MatchRule(path: path, pathNamespace: .root),
      "both a path and a namespace of paths: '/'"
    ),
    RuleCase(MatchRule(arguments: [64: ""]), "arguments are counted from 0 to 63: '64'"),
    RuleCase(MatchRule(argumentPaths: [-1: ""]), "arguments are counted from 0 to 63: '-1'"),
    RuleCase(
      MatchRule(arguments: [3: ""], argumentPaths: [3: ""]),
      "two conditions on one argument: '3'"
    ),
    RuleCase(
      MatchRule(arguments: [0: ""], argument0Namespace: "a"),
      "two conditions on one argument: '0'"
    ),
    RuleCase(MatchRule(argument0Namespace: "a."), "not the start of a bus name: 'a.'"),
    RuleCase(MatchRule(argument0Namespace: ""), "not the start of a bus name: ''"),
    RuleCase(
      MatchRule(arguments: [0: String(repeating: "'", count: 400)]),
      "more than 1024 bytes: 1607"
    ),
  ]

  @Test(.privateBus, arguments: invalid) func whatABusRefusesIsFoundBefore(_ example: RuleCase)
    throws
  {
    let error = #expect(throws: BusError.self) { try example.rule.validate() }
    #expect(
      error
        == BusError(
          name: .matchRuleInvalid,
          message: "not a match rule: " + example.text
        )
    )
    let connection = try BusConnection(address: PrivateBus.current.address)
    let refusal = #expect(throws: BusError.self) {
      try connection.callAndWait(.bus(MemberName(constant: "AddMatch"))) {
        $0.append(example.rule.text)
      }
    }
    #expect([.matchRuleInvalid, .limitsExceeded].contains(refusal?.name))
  }

  @Test func aTextWithANulIsNoCondition() {
    #expect(throws: BusError.self) { try MatchRule(arguments: [0: "a\0"]).validate() }
    #expect(throws: BusError.self) { try MatchRule(argument0Namespace: "a\0").validate() }
  }
}

// SPDX-License-Identifier: MIT
import DBus
import TestSupport
import Testing

@Suite(.privateBus) struct ObjectServerTests {
  static let properties = InterfaceName(constant: "org.freedesktop.DBus.Properties")
  static let introspectable = InterfaceName(constant: "org.freedesktop.DBus.Introspectable")
  static let peer = InterfaceName(constant: "org.freedesktop.DBus.Peer")

  let fixture: LampFixture

  init() throws {
    fixture = try LampFixture()
  }

  private func properties(
    _ member: StaticString,
    _ arguments: Value...,
    at path: ObjectPath = Lamp.path
  ) throws -> Result<[Value], BusError> {
    try fixture.call(member, arguments, interface: Self.properties, at: path)
  }

  @Test func aMethodGetsItsArgumentsAndReturnsItsValues() throws {
    let options = Value.namedValues([("a", .byte(1)), ("b", .string("x"))])
    let reply = try fixture.call("Dim", [.int64(20), options])
    #expect(
      try reply.get() == [.int64(30), .array(.string, [.string("a"), .string("b")])]
    )
    #expect(try fixture.call("Switch", [.boolean(true)]).get() == [])
    #expect(fixture.lamp.isOn)
  }

  @Test func anErrorOfTheHandlerIsTheReply() throws {
    let reply = try fixture.call("Dim", [.int64(51), .namedValues([])])
    #expect(
      reply
        == .failure(
          BusError(
            name: ErrorName(constant: "org.example.Lamp1.Error.TooDark"),
            message: "brightness is 50, can't be dimmed by: '51'"
          )
        )
    )
  }

  @Test func whatCannotBeSentBecomesAnError() throws {
    guard case .failure(let error) = try fixture.call("Break") else {
      Issue.record("a NUL was sent")
      return
    }
    #expect(error.name == .invalidArguments)
  }

  @Test func withoutAnInterfaceTheObjectsOwnComesFirst() throws {
    #expect(try fixture.call("Introspect", interface: nil).get() == [.string("a lamp")])
    #expect(try fixture.call("Ping", interface: nil).get() == [])
    let all = try fixture.call("GetAll", [.string("")], interface: nil).get()
    #expect(all.count == 1)
  }

  static let refusals: [(call: Refusal, name: ErrorName, message: String)] = [
    (
      Refusal("Switch", [.int64(1)]), .invalidArguments,
      "Switch of org.example.Lamp1 takes (b), not (x)"
    ),
    (
      Refusal("Switch"), .invalidArguments, "Switch of org.example.Lamp1 takes (b), not ()"
    ),
    (
      Refusal("Switch", [.boolean(true), .boolean(true)], interface: nil), .invalidArguments,
      "Switch of org.example.Lamp1 takes (b), not (bb)"
    ),
    (
      Refusal("Break", [.string("")]), .invalidArguments,
      "Break of org.example.Lamp1 takes (), not (s)"
    ),
    (
      Refusal("switch", [.boolean(true)]), .unknownMethod,
      "no such method of org.example.Lamp1: 'switch'; there is Switch, Dim, Break, Introspect"
    ),
    (
      Refusal("switch", interface: nil), .unknownMethod,
      "no such method of /org/example/Lamp: 'switch'; there is Switch, Dim, Break, Introspect"
    ),
    (
      Refusal("Switch", interface: "org.example.Lamp2"), .unknownInterface,
      "no such interface on /org/example/Lamp: 'org.example.Lamp2'; there is org.example.Lamp1"
    ),
    (
      Refusal("Switch", at: "/org/example/Lam"), .unknownObject,
      "no such object: '/org/example/Lam'"
    ),
    (
      Refusal("Switch", at: "/org/example/Lamp/x"), .unknownObject,
      "no such object: '/org/example/Lamp/x'"
    ),
    (
      Refusal("Switch", at: "/org/example/Lamp/bulb/x"), .unknownObject,
      "no such object: '/org/example/Lamp/bulb/x'"
    ),
    (
      Refusal("Switch", at: "/org"), .unknownInterface,
      "no such interface on /org: 'org.example.Lamp1'"
    ),
    (
      Refusal("Foo", interface: "org.freedesktop.DBus.Peer", at: "/"), .unknownMethod,
      "no such method of org.freedesktop.DBus.Peer: 'Foo'; there is Ping, GetMachineId"
    ),
    (
      Refusal(
        "Get",
        [.string("a"), .string("b")],
        interface: "org.freedesktop.DBus.Properties",
        at: "/org"
      ),
      .unknownInterface, "no such interface on /org: 'org.freedesktop.DBus.Properties'"
    ),
  ]

  /// A call that is refused.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let member: StaticString
    let arguments: [Value]
    let interface: String?
    let path: String

    var testDescription: String { "\(path) \(interface ?? "-") \(member)" }

    init(
      _ member: StaticString,
      _ arguments: [Value] = [],
      interface: String? = "org.example.Lamp1",
      at path: String = "/org/example/Lamp"
    ) {
      self.member = member
      self.arguments = arguments
      self.interface = interface
      self.path = path
    }
  }

  @Test(arguments: refusals) func whatIsNotThereIsRefusedInWords(
    call: Refusal,
    name: ErrorName,
    message: String
  ) throws {
    let reply = try fixture.call(
      call.member,
      call.arguments,
      interface: call.interface.flatMap { InterfaceName($0) },
      at: try #require(ObjectPath(call.path))
    )
    #expect(reply == .failure(BusError(name: name, message: message)))
    #expect(fixture.lamp.calls == 0)
  }

  @Test func propertiesAreReadOneByOneAndTogether() throws {
    let name = Value.string("org.example.Lamp1")
    let limits = Value.structure([.int64(0), .int64(100)])
    #expect(try properties("Get", name, .string("Limits")).get() == [.variant(limits)])
    #expect(
      try properties("Get", .string(""), .string("Brightness")).get() == [.variant(.int64(50))]
    )
    let all = Value.namedValues([
      ("On", .boolean(false)), ("Brightness", .int64(50)), ("Limits", limits), ("Calls", .int64(0)),
    ])
    #expect(try properties("GetAll", name).get() == [all])
    #expect(try properties("GetAll", .string("")).get() == [all])
    #expect(
      try properties("GetAll", .string("org.freedesktop.DBus.Peer")).get() == [.namedValues([])]
    )
  }

  @Test func aWritablePropertyIsSetOrTheSetterSaysWhyNot() throws {
    let name = Value.string("org.example.Lamp1")
    #expect(try properties("Set", name, .string("On"), .variant(.boolean(true))).get() == [])
    #expect(fixture.lamp.isOn)
    #expect(
      try properties("Set", name, .string("On"), .variant(.byte(0)))
        == .failure(.invalidArguments("On is of type 'b', not 'y'"))
    )
    #expect(fixture.lamp.isOn)
  }

  @Test func wrongUsesOfPropertiesAreRefusedInWords() throws {
    let name = Value.string("org.example.Lamp1")
    let known = "; there is On, Brightness, Limits, Calls"
    #expect(
      try properties("Get", name, .string("on"))
        == .failure(.unknownProperty("no such property of org.example.Lamp1: 'on'" + known))
    )
    #expect(
      try properties("Get", .string(""), .string("on"))
        == .failure(.unknownProperty("no such property of /org/example/Lamp: 'on'" + known))
    )
    #expect(
      try properties("Set", name, .string("on"), .variant(.byte(0)))
        == .failure(.unknownProperty("no such property of org.example.Lamp1: 'on'" + known))
    )
    #expect(
      try properties("Set", name, .string("Limits"), .variant(.byte(0)))
        == .failure(.propertyReadOnly("Limits of org.example.Lamp1 can't be set"))
    )
    #expect(
      try properties("Get", .string("org.freedesktop.DBus.Peer"), .string("On"))
        == .failure(.unknownProperty("no such property of org.freedesktop.DBus.Peer: 'On'"))
    )
    let refusal = "no such interface on /org/example/Lamp: 'not a name'; there is org.example.Lamp1"
    #expect(
      try properties("GetAll", .string("not a name")) == .failure(.unknownInterface(refusal))
    )
    #expect(
      try properties("Get", name)
        == .failure(
          .invalidArguments("Get of org.freedesktop.DBus.Properties takes (ss), not (s)")
        )
    )
  }

  @Test func aCallOfPropertiesIsToldBeforeItIsAnswered() throws {
    var paths: [ObjectPath] = []
    fixture.server.onPropertiesCall = { paths.append($0) }
    _ = try fixture.call("Switch", [.boolean(true)])
    #expect(paths.isEmpty)
    _ = try properties("GetAll", .string(""))
    #expect(paths == [Lamp.path])
  }

  @Test func objectsOfASubtreeComeAndGo() throws {
    let path = try #require(LampFixture.bulbs.appending("a_2db"))
    #expect(try properties("GetAll", .string(""), at: path).map { _ in 0 } != .success(0))
    let bulb = Lamp()
    fixture.bulbs["a_2db"] = bulb
    #expect(try fixture.call("Switch", [.boolean(true)], at: path).get() == [])
    #expect(bulb.isOn)
    #expect(!fixture.lamp.isOn)
    fixture.bulbs = [:]
    #expect(
      try fixture.call("Switch", [.boolean(false)], at: path)
        == .failure(.unknownObject("no such object: '\(path)'"))
    )
  }

  @Test func anObjectNoLongerExportedIsUnknown() throws {
    #expect(try fixture.call("Introspect").get() == [.string("a lamp")])
    fixture.server.unexport(at: Lamp.path)
    // Still the way to the bulbs.
    #expect(
      try fixture.call("Introspect")
        == .failure(
          .unknownInterface("no such interface on /org/example/Lamp: 'org.example.Lamp1'")
        )
    )
    fixture.server.unexport(at: LampFixture.bulbs)
    #expect(
      try fixture.call("Introspect")
        == .failure(.unknownObject("no such object: '/org/example/Lamp'"))
    )
  }

  @Test func exportingAgainReplacesTheObject() throws {
    let other = Lamp()
    fixture.server.export(Lamp.interface, target: other, at: Lamp.path)
    #expect(try fixture.call("Switch", [.boolean(true)]).get() == [])
    #expect(other.isOn)
    #expect(!fixture.lamp.isOn)
  }

  @Test func peerAnswersOnEveryPath() throws {
    for path in ["/", "/org", "/org/example/Lamp", "/nowhere/at/all"] {
      let path = try #require(ObjectPath(path))
      #expect(try fixture.call("Ping", interface: Self.peer, at: path).get() == [])
      let machine = try fixture.call("GetMachineId", interface: Self.peer, at: path).get()
      guard case .string(let text) = try #require(machine.first) else {
        Issue.record("no text")
        return
      }
      #expect(text.utf8.count == 32)
    }
  }

  @Test func aCallThatWantsNoReplyIsDoneAndGetsNone() throws {
    var call = MethodCall(
      destination: LampFixture.serviceName,
      path: Lamp.path,
      interface: Lamp.name,
      member: MemberName(constant: "Switch")
    )
    try fixture.client.send(call) { $0.append(true) }
    // Neither do calls that fail.
    try fixture.client.send(call) { $0.append("on") }
    call.path = .root
    try fixture.client.send(call) { $0.append(true) }
    call.path = Lamp.path
    call.member = MemberName(constant: "Dim")
    try fixture.client.send(call) { writer in
      writer.append(99 as Int64)
      writer.appendDictionary { _ in }
    }
    let monitor = try PrivateBus.current.spawn(
      "dbus-monitor",
      ["--session", "sender='\(try #require(fixture.service.uniqueName))'"]
    )
    _ = try monitor.waitForLine(containing: "NameLost")
    #expect(try fixture.call("Introspect").get() == [.string("a lamp")])
    #expect(fixture.lamp.isOn)
    #expect(fixture.lamp.calls == 2)
    try monitor.waitForLine(containing: "a lamp")
    monitor.terminate()
    let replies = monitor.output.split(separator: "\n").filter {
      $0.hasPrefix("method return") || $0.hasPrefix("error")
    }
    #expect(replies.count == 1, "\(replies)")
  }

  @Test func propertiesChangedTellsWhatEachPropertyWantsTold() throws {
    var told: [[Value]] = []
    let rule = MatchRule.signal(
      MemberName(constant: "PropertiesChanged"),
      of: Self.properties,
      from: Lamp.path
    )
    try fixture.client.subscribe(rule) { told.append((try? $0.values()) ?? []) }
    func send(_ names: [String], to destination: BusName? = nil) throws -> Bool {
      try fixture.server.sendPropertiesChanged(
        names,
        of: Lamp.interface,
        target: fixture.lamp,
        at: Lamp.path,
        to: destination
      )
    }
    // The bus has the rule once the round trip is over.
    _ = try fixture.call("Introspect")
    fixture.lamp.isOn = true
    #expect(try !send([]))
    #expect(try !send(["Limits", "Calls", "Nonsense"]))
    #expect(try send(["Calls", "Brightness", "On"]))
    #expect(try send(["On"], to: fixture.client.uniqueName))
    #expect(try fixture.loop.run { told.count == 2 })
    let on = Value.namedValues([("On", .boolean(true))])
    #expect(
      told == [
        [.string("org.example.Lamp1"), on, .array(.string, [.string("Brightness")])],
        [.string("org.example.Lamp1"), on, .array(.string, [])],
      ]
    )
  }
}

// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import TestSupport
import Testing

/// An object to be served in tests.
final class Lamp {
  static let path = ObjectPath(constant: "/org/example/Lamp")
  static let name = InterfaceName(constant: "org.example.Lamp1")

  var isOn = false
  var brightness: Int64 = 50
  var calls = 0

  static let interface = Interface<Lamp>(
    "org.example.Lamp1",
    methods: [
      Method("Switch", inputs: [Argument("on", "b")]) { lamp, call, _ throws(BusError) in
        lamp.calls += 1
        lamp.isOn = try call.reader.readBoolean()
      },
      Method(
        "Dim",
        inputs: [Argument("by", "x"), Argument("options", "a{sv}")],
        outputs: [Argument("brightness", "x"), Argument("names", "as")]
      ) { lamp, call, reply throws(BusError) in
        lamp.calls += 1
        let step = try call.reader.readInt64()
        guard lamp.brightness >= step else {
          throw BusError(
            name: ErrorName(constant: "org.example.Lamp1.Error.TooDark"),
            message: "brightness is \(lamp.brightness), can't be dimmed by: '\(step)'"
          )
        }
        lamp.brightness -= step
        var names: [String] = []
        try call.reader.readDictionary { name, _ in names.append(name) }
        reply.append(lamp.brightness)
        reply.appendArray(of: .string) { for name in names { $0.append(name) } }
      },
      Method("Break", outputs: [Argument("text", "s")], annotations: [.deprecated]) { _, _, reply in
        reply.append("a\0b")
      },
      // As in Introspectable, so that a call without an interface has two to choose from.
      Method("Introspect", outputs: [Argument("text", "s")]) { _, _, reply in
        reply.append("a lamp")
      },
    ],
    properties: [
      Property(
        "On",
        "b",
        get: { lamp, writer in writer.append(lamp.isOn) },
        set: { lamp, value throws(BusError) in
          guard case .boolean(let isOn) = value else {
            throw .invalidArguments("On is of type 'b', not '\(value.typeCode)'")
          }
          lamp.isOn = isOn
        }
      ),
      Property("Brightness", "x", emits: .invalidates) { lamp, writer in
        writer.append(lamp.brightness)
      },
      Property("Limits", "(xx)", emits: .const) { _, writer in
        writer.appendStructure {
          $0.append(0 as Int64)
          $0.append(100 as Int64)
        }
      },
      Property("Calls", "x", emits: .false, annotations: [Annotation("org.example.Doc", "<&\">")]) {
        lamp,
        writer in writer.append(Int64(lamp.calls))
      },
    ],
    signals: [Signal("Blown", [Argument("when", "t")])]
  )
}

/// A lamp, and bulbs below it, served on a private bus; and a client on the same loop.
final class LampFixture {
  static let bulbs = ObjectPath(constant: "/org/example/Lamp/bulb")
  static let serviceName = BusName(constant: "org.example.Lamp")

  let loop: EventLoop
  let service: Connection
  let client: Connection
  let server: ObjectServer
  let lamp = Lamp()
  /// The elements of the paths of the bulbs there are.
  var bulbs: [String: Lamp] = [:]

  init() throws {
    loop = try EventLoop()
    service = try Connection(address: PrivateBus.current.address)
    client = try Connection(address: PrivateBus.current.address)
    guard try service.requestName(Self.serviceName) == .primaryOwner else {
      throw TestFailure("the name is taken")
    }
    server = ObjectServer(connection: service)
    server.export(Lamp.interface, target: lamp, at: Lamp.path)
    server.exportSubtree(
      at: Self.bulbs,
      interface: Lamp.interface,
      resolve: { [weak self] in self?.bulbs[$0] },
      children: { [weak self] in self.map { Array($0.bulbs.keys) } ?? [] }
    )
    try service.attach(to: loop)
    try client.attach(to: loop)
  }

  /// Calls a method and returns what comes back.
  func call(
    _ member: StaticString,
    _ arguments: [Value] = [],
    interface: InterfaceName? = Lamp.name,
    at path: ObjectPath = Lamp.path
  ) throws -> Result<[Value], BusError> {
    let call = MethodCall(
      destination: Self.serviceName,
      path: path,
      interface: interface,
      member: MemberName(constant: member)
    )
    return try client.call(call, arguments, turning: loop).map { try $0.values() }
  }

  /// Runs a tool on the bus while the lamp is served.
  func run(_ tool: String, _ arguments: [String]) throws -> FinishedProcess {
    try PrivateBus.current.spawn(tool, arguments).finish(turning: loop)
  }
}

extension Result where Failure == BusError {
  /// Like `map` for what may fail in other ways.
  func map<Other>(_ body: (Success) throws -> Other) throws -> Result<Other, BusError> {
    switch self {
    case .success(let value): .success(try body(value))
    case .failure(let error): .failure(error)
    }
  }
}

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
        == .failure(
          BusError(
            name: .unknownProperty,
            message: "no such property of org.example.Lamp1: 'on'" + known
          )
        )
    )
    #expect(
      try properties("Get", .string(""), .string("on"))
        == .failure(
          BusError(
            name: .unknownProperty,
            message: "no such property of /org/example/Lamp: 'on'" + known
          )
        )
    )
    #expect(
      try properties("Set", name, .string("on"), .variant(.byte(0)))
        == .failure(
          BusError(
            name: .unknownProperty,
            message: "no such property of org.example.Lamp1: 'on'" + known
          )
        )
    )
    #expect(
      try properties("Set", name, .string("Limits"), .variant(.byte(0)))
        == .failure(
          BusError(name: .propertyReadOnly, message: "Limits of org.example.Lamp1 can't be set")
        )
    )
    #expect(
      try properties("Get", .string("org.freedesktop.DBus.Peer"), .string("On"))
        == .failure(
          BusError(
            name: .unknownProperty,
            message: "no such property of org.freedesktop.DBus.Peer: 'On'"
          )
        )
    )
    let refusal = "no such interface on /org/example/Lamp: 'not a name'; there is org.example.Lamp1"
    #expect(
      try properties("GetAll", .string("not a name"))
        == .failure(BusError(name: .unknownInterface, message: refusal))
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
        == .failure(BusError(name: .unknownObject, message: "no such object: '\(path)'"))
    )
  }

  @Test func anObjectNoLongerExportedIsUnknown() throws {
    #expect(try fixture.call("Introspect").get() == [.string("a lamp")])
    fixture.server.unexport(at: Lamp.path)
    // Still the way to the bulbs.
    #expect(
      try fixture.call("Introspect")
        == .failure(
          BusError(
            name: .unknownInterface,
            message: "no such interface on /org/example/Lamp: 'org.example.Lamp1'"
          )
        )
    )
    fixture.server.unexport(at: LampFixture.bulbs)
    #expect(
      try fixture.call("Introspect")
        == .failure(BusError(name: .unknownObject, message: "no such object: '/org/example/Lamp'"))
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

/// The object server as the tools on every desktop see it.
@Suite(.privateBus) struct ObjectServerToolTests {
  let fixture: LampFixture

  init() throws {
    fixture = try LampFixture()
    fixture.bulbs = ["b": Lamp()]
  }

  private func busctl(_ arguments: String...) throws -> FinishedProcess {
    try fixture.run("busctl", ["--address=\(PrivateBus.current.address)"] + arguments)
  }

  private func gdbus(_ verb: String, _ arguments: String...) throws -> FinishedProcess {
    let target = ["--address", PrivateBus.current.address, "--dest", "org.example.Lamp"]
    return try fixture.run("gdbus", [verb] + target + arguments)
  }

  private func dbusSend(_ arguments: String...) throws -> FinishedProcess {
    let target = ["--bus=\(PrivateBus.current.address)", "--dest=org.example.Lamp"]
    return try fixture.run("dbus-send", target + ["--print-reply=literal"] + arguments)
  }

  @Test func busctlFindsTheObjectsFromTheRootDown() throws {
    let result = try busctl("tree", "--list", "org.example.Lamp")
    #expect(result.status == .success)
    #expect(
      result.output.split(separator: "\n") == [
        "/", "/org", "/org/example", "/org/example/Lamp", "/org/example/Lamp/bulb",
        "/org/example/Lamp/bulb/b",
      ]
    )
  }

  @Test func busctlReadsTheInterfaceAndItsProperties() throws {
    let result = try busctl("introspect", "org.example.Lamp", "/org/example/Lamp")
    let lines = result.output.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(result.status == .success)
    for line in [
      "org.example.Lamp1 interface - - -",
      ".Break method - s deprecated",
      ".Dim method xa{sv} xas -",
      ".Switch method b - -",
      ".Brightness property x 50 emits-invalidation",
      ".Calls property x 0 -",
      ".Limits property (xx) - const",
      ".On property b false emits-change writable",
      ".Blown signal t - -",
      ".GetMachineId method - s -",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test func busctlCallsAndSets() throws {
    let lamp = ["org.example.Lamp", "/org/example/Lamp", "org.example.Lamp1"]
    let dimmed = try busctl(
      "call",
      lamp[0],
      lamp[1],
      lamp[2],
      "Dim",
      "xa{sv}",
      "8",
      "1",
      "k",
      "s",
      "v"
    )
    #expect(dimmed.output == "xas 42 1 \"k\"\n")
    #expect(
      try busctl("set-property", lamp[0], lamp[1], lamp[2], "On", "b", "true").status == .success
    )
    #expect(try busctl("get-property", lamp[0], lamp[1], lamp[2], "On").output == "b true\n")
    let wrong = try busctl("call", lamp[0], lamp[1], lamp[2], "Switch", "s", "on")
    #expect(wrong.status != .success)
    #expect(wrong.errorOutput.contains("Switch of org.example.Lamp1 takes (b), not (s)"))
  }

  @Test func gdbusIntrospectsAndCalls() throws {
    let tree = try gdbus("introspect", "--object-path", "/", "--recurse")
    #expect(tree.status == .success)
    #expect(tree.output.contains("node /org/example/Lamp/bulb/b {"))
    let called = try gdbus(
      "call",
      "--object-path",
      "/org/example/Lamp",
      "--method",
      "org.example.Lamp1.Dim",
      "8",
      "{}"
    )
    #expect(called.output == "(int64 42, @as [])\n")
    let refused = try gdbus(
      "call",
      "--object-path",
      "/org/example/Lamp",
      "--method",
      "org.freedesktop.DBus.Properties.Set",
      "org.example.Lamp1",
      "Brightness",
      "<int64 5>"
    )
    #expect(refused.status != .success)
    #expect(
      refused.errorOutput.contains(
        "org.freedesktop.DBus.Error.PropertyReadOnly: Brightness of org.example.Lamp1 can't be set"
      )
    )
  }

  @Test func dbusSendCallsWithAndWithoutAnInterface() throws {
    let read = try dbusSend(
      "/org/example/Lamp",
      "org.freedesktop.DBus.Properties.Get",
      "string:org.example.Lamp1",
      "string:Brightness"
    )
    #expect(read.output.split(separator: " ").last == "50\n")
    #expect(
      try dbusSend("/org/example/Lamp", "org.example.Lamp1.Switch", "boolean:true").status
        == .success
    )
    #expect(fixture.lamp.isOn)
    let unknown = try dbusSend("/org/example", "org.example.Lamp1.Switch", "boolean:true")
    #expect(unknown.status == .exited(1))
    #expect(unknown.errorOutput.contains("UnknownInterface"))
    // Without --print-reply it wants none, and is told that all is well.
    let quiet = try fixture.run(
      "dbus-send",
      [
        "--bus=\(PrivateBus.current.address)", "--dest=org.example.Lamp", "--type=method_call",
        "/org/example/Lamp", "org.example.Lamp1.Switch", "boolean:false",
      ]
    )
    #expect(quiet.status == .success)
    #expect(try fixture.loop.run { !fixture.lamp.isOn })
  }
}

// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import TestSupport

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
  let service: BusConnection
  let client: BusConnection
  let server: ObjectServer
  let lamp = Lamp()
  /// The elements of the paths of the bulbs there are.
  var bulbs: [String: Lamp] = [:]

  init() throws {
    loop = try EventLoop()
    service = try BusConnection(address: PrivateBus.current.address)
    client = try BusConnection(address: PrivateBus.current.address)
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

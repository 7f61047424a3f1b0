// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import TestSupport
import Testing

@testable import BadgeService

/// A settings portal as desktops have one.
private final class Portal {
  static let name = BusName(constant: "org.freedesktop.portal.Desktop")
  static let path = ObjectPath(constant: "/org/freedesktop/portal/desktop")

  let connection: Connection
  let server: ObjectServer
  /// What is set, by group and key.
  var settings: [String: Value] = [:]
  /// The methods that were called.
  var calls: [String] = []

  init(on loop: EventLoop, isOld: Bool = false) throws {
    connection = try Connection(address: PrivateBus.current.address)
    server = ObjectServer(connection: connection)
    let arguments = [Argument("namespace", "s"), Argument("key", "s")]
    let read = Method<Portal>("Read", inputs: arguments, outputs: [Argument("value", "v")]) {
      portal,
      call,
      reply throws(BusError) in
      let value = try portal.read(&call, "Read")
      reply.appendVariant(of: .variant) { $0.appendVariant(value) }
    }
    let readOne = Method<Portal>("ReadOne", inputs: arguments, outputs: [Argument("value", "v")]) {
      portal,
      call,
      reply throws(BusError) in
      reply.appendVariant(try portal.read(&call, "ReadOne"))
    }
    server.export(
      Interface(
        "org.freedesktop.portal.Settings",
        methods: isOld ? [read] : [read, readOne]
      ),
      target: self,
      at: Self.path
    )
    guard try connection.requestName(Self.name) == .primaryOwner else {
      throw TestFailure("the name is taken")
    }
    try connection.attach(to: loop)
  }

  private func read(_ call: inout MethodCallContext, _ method: String) throws(BusError) -> Value {
    let group = try call.reader.readString()
    let key = try call.reader.readString()
    calls.append("\(method) \(group) \(key)")
    guard let value = settings["\(group) \(key)"] else {
      throw BusError(
        name: ErrorName(constant: "org.freedesktop.portal.Error.NotFound"),
        message: "no"
      )
    }
    return value
  }

  func change(_ group: String, _ key: String, _ value: Value) throws {
    settings["\(group) \(key)"] = value
    try Self.sendChange(group, key, value, from: connection)
  }

  static func sendChange(
    _ group: String,
    _ key: String,
    _ value: Value,
    from connection: Connection,
    to destination: BusName? = nil
  ) throws {
    try connection.send(
      signal: MemberName(constant: "SettingChanged"),
      of: InterfaceName(constant: "org.freedesktop.portal.Settings"),
      from: path,
      to: destination
    ) {
      $0.append(group)
      $0.append(key)
      $0.appendVariant(value)
    }
  }
}

@Suite(.privateBus) struct MotionTests {
  static let gnome = ("org.gnome.desktop.interface", "enable-animations")
  static let appearance = ("org.freedesktop.appearance", "reduced-motion")

  let fixture: ServiceFixture

  init() throws {
    fixture = try ServiceFixture()
  }

  private func waitUntil(animating: Bool) throws -> Bool {
    try fixture.loop.run { fixture.service.state.animating == animating }
  }

  @Test func withoutAPortalTheWishAloneCounts() throws {
    fixture.service.followDesktop()
    try fixture.waitForBus()
    #expect(try fixture.property("Animating") == .boolean(true))
  }

  @Test(arguments: [false, true])
  func aPortalThatIsThereIsAsked(_ isOld: Bool) throws {
    let portal = try Portal(on: fixture.loop, isOld: isOld)
    portal.settings["org.gnome.desktop.interface enable-animations"] = .boolean(false)
    fixture.service.followDesktop()
    #expect(try waitUntil(animating: false))
    #expect(try fixture.property("Animating") == .boolean(false))
    #expect(try fixture.property("Animations") == .boolean(true))
  }

  @Test func changesAreFollowedAndTold() throws {
    let portal = try Portal(on: fixture.loop)
    fixture.service.followDesktop()
    #expect(try fixture.loop.run { portal.calls.count == 2 })
    _ = try fixture.property("Animating")
    try portal.change(Self.appearance.0, Self.appearance.1, .uint32(1))
    #expect(try waitUntil(animating: false))
    let told = try fixture.take(1, "PropertiesChanged")
    #expect(told.last?.values[1].entries == ["Animating": .boolean(false)])
    try portal.change(Self.gnome.0, Self.gnome.1, .boolean(false))
    try portal.change(Self.appearance.0, Self.appearance.1, .uint32(0))
    try portal.change(Self.gnome.0, Self.gnome.1, .boolean(true))
    #expect(try waitUntil(animating: true))
  }

  @Test func hintsMoveNothingMeanwhile() throws {
    let portal = try Portal(on: fixture.loop)
    portal.settings["org.freedesktop.appearance reduced-motion"] = .uint32(1)
    fixture.service.followDesktop()
    #expect(try waitUntil(animating: false))
    _ = try fixture.call("Set", .string("mail"), .int64(1))
    _ = try fixture.call("Set", .string("mail"), .int64(2))
    _ = try fixture.call("List")
    let hint = fixture.takeSignals().last { $0.member == "Changed" }?.values[2].entries
    #expect(hint == Catalogue.hint("change", "none", "up"))
  }

  @Test func aPortalThatComesLateIsAskedAndOneThatGoesIsForgotten() throws {
    fixture.service.followDesktop()
    try fixture.waitForBus()
    let portal = try Portal(on: fixture.loop)
    portal.settings["org.gnome.desktop.interface enable-animations"] = .boolean(false)
    #expect(try waitUntil(animating: false))
    portal.connection.close()
    #expect(try waitUntil(animating: true))
  }

  @Test func nobodyElseIsBelieved() throws {
    let portal = try Portal(on: fixture.loop)
    fixture.service.followDesktop()
    #expect(try fixture.loop.run { portal.calls.count == 2 })
    let to = try #require(fixture.connection.uniqueName)
    try Portal.sendChange(
      Self.gnome.0,
      Self.gnome.1,
      .boolean(false),
      from: fixture.client,
      to: to
    )
    // A reply to the same sender comes after its signal was handled.
    _ = try fixture.call("List")
    #expect(fixture.service.state.animating)
    try portal.change(Self.gnome.0, Self.gnome.1, .string("off"))
    try portal.change(Self.appearance.0, Self.appearance.1, .boolean(true))
    try portal.change("org.example", "enable-animations", .boolean(false))
    try fixture.waitForBus()
    _ = try fixture.call("List")
    #expect(fixture.service.state.animating)
  }

  @Test func aPortalIsNotStartedForThis() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      "[D-BUS Service]\nName=org.freedesktop.portal.Desktop\nExec=/bin/touch \(directory.path)/started\n",
      to: "portal.service"
    )
    let bus = try PrivateBus(serviceDirectories: [directory.path])
    defer { bus.stop() }
    let loop = try EventLoop()
    let connection = try Connection(address: bus.address)
    try connection.attach(to: loop)
    let motion = MotionPreference(connection: connection) {}
    try motion.start()
    var isBack = false
    try connection.call(.bus(MemberName(constant: "GetId"))) { _ in isBack = true }
    #expect(try loop.run { isBack })
    #expect(contents(ofFile: directory.appending("started")) == nil)
  }
}

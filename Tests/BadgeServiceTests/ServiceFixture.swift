// SPDX-License-Identifier: MIT
import BadgeStore
import DBus
import EventLoop
import TestSupport

@testable import BadgeService

/// A signal as a subscriber got it.
struct ReceivedSignal: Equatable, CustomStringConvertible {
  var path: String
  var interface: String
  var member: String
  var values: [Value]
  var isUnicast: Bool

  var description: String { "\(member) from \(path): \(values)" }
}

/// A service, and a client that follows it, on a private bus and one loop.
final class ServiceFixture {
  static let name = BusName(constant: "org.badged.Badges1")

  let loop: EventLoop
  let connection: Connection
  let client: Connection
  let directory: TemporaryDirectory
  let service: BadgeService
  /// What the service logged.
  private(set) var log: [String] = []
  /// All signals below the manager's path, in order.
  private(set) var signals: [ReceivedSignal] = []

  /// A service that starts with `state`, or with an empty directory.
  init(state: StoredState = StoredState(), isVerbose: Bool = false) throws {
    let loop = try EventLoop()
    self.loop = loop
    directory = try TemporaryDirectory()
    connection = try Connection(address: PrivateBus.current.address)
    client = try Connection(address: PrivateBus.current.address)
    let lines = Lines()
    let log = Log(style: .program("badged"), isVerbose: isVerbose) {
      lines.all.append($0)
      return true
    }
    service = try Self.makeService(on: connection, loop, directory, state: state, log: log)
    service.start()
    lines.changed = { [weak self] in self?.log = $0 }
    guard try connection.requestName(Self.name) == .primaryOwner else {
      throw TestFailure("the name is taken")
    }
    try connection.attach(to: loop)
    try client.attach(to: loop)
    let everything = MatchRule(type: .signal, sender: Self.name)
    try client.subscribe(everything) { [weak self] message in
      guard let path = message.path, path == .manager || ObjectPath.manager.isAncestor(of: path)
      else { return }
      self?.signals.append(
        ReceivedSignal(
          path: message.path?.rawValue ?? "",
          interface: message.interface?.rawValue ?? "",
          member: message.member?.rawValue ?? "",
          values: (try? message.values()) ?? [],
          isUnicast: message.destination != nil
        )
      )
    }
    try waitForBus()
  }

  /// A service that has not started, and finds `state` in its directory.
  static func makeService(
    on connection: Connection,
    _ loop: EventLoop,
    _ directory: TemporaryDirectory,
    state: StoredState,
    log: Log = Log(style: .priorities) { _ in true }
  ) throws -> BadgeService {
    let place = StateDirectory(path: directory.path)
    let store = try BadgeStore.open(place)
    try store.save(StoreChanges(state))
    try store.close()
    let (persistence, loaded) = try Persistence.open(place, bus: "", loop: loop, log: log)
    return BadgeService(
      connection: connection,
      loop: loop,
      persistence: persistence,
      state: loaded,
      log: log
    )
  }

  private final class Lines {
    var all: [String] = [] { didSet { changed?(all) } }
    var changed: (([String]) -> Void)? { didSet { changed?(all) } }
  }

  /// Calls a method and returns what comes back.
  func call(
    _ member: String,
    _ arguments: Value...,
    interface: String? = "org.badged.Badges1",
    at path: ObjectPath = .manager
  ) throws -> Result<[Value], BusError> {
    try call(member, with: arguments, interface: interface, at: path)
  }

  /// Calls a method with arguments that come from a table.
  func call(
    _ member: String,
    with arguments: [Value],
    interface: String? = "org.badged.Badges1",
    at path: ObjectPath = .manager
  ) throws -> Result<[Value], BusError> {
    guard let member = MemberName(member) else { throw TestFailure("no member name") }
    let call = MethodCall(
      destination: Self.name,
      path: path,
      interface: interface.flatMap { InterfaceName($0) },
      member: member
    )
    switch try client.call(call, arguments, turning: loop) {
    case .success(let message): return .success(try message.values())
    case .failure(let error): return .failure(error)
    }
  }

  /// Calls a method of org.freedesktop.DBus.Properties.
  func properties(
    _ member: String,
    _ arguments: Value...,
    at path: ObjectPath = .manager
  ) throws -> Result<[Value], BusError> {
    let interface = "org.freedesktop.DBus.Properties"
    return try call(member, with: arguments, interface: interface, at: path)
  }

  /// Reads a property of the manager.
  func property(_ name: String) throws -> Value? {
    let result = try properties("Get", .string("org.badged.Badges1"), .string(name))
    guard case .variant(let value) = try result.get().first else { return nil }
    return value
  }

  /// Sets a property of the manager.
  func setProperty(_ name: String, _ value: Value) throws -> BusError? {
    let result = try properties(
      "Set",
      .string("org.badged.Badges1"),
      .string(name),
      .variant(value)
    )
    guard case .failure(let error) = result else { return nil }
    return error
  }

  /// Reads a badge; nil where there is none.
  func badge(_ id: String) throws -> [String: Value]? {
    guard case .success(let values) = try call("Get", .string(id)) else { return nil }
    return values.first?.entries
  }

  /// What is stored at present.
  func stored() throws -> StoredState { try storedState(in: directory) }

  /// Waits until everything sent to the client so far has come.
  func waitForBus() throws {
    var isBack = false
    try client.call(.bus(MemberName(constant: "GetId"))) { _ in isBack = true }
    guard try loop.run(until: { isBack }) else { throw TestFailure("the bus does not answer") }
  }

  /// Waits until so many signals of that name have come, and takes all signals.
  func take(_ count: Int, _ member: String) throws -> [ReceivedSignal] {
    guard try loop.run(until: { signals.count { $0.member == member } >= count }) else {
      throw TestFailure("\(signals.count) signals came, but not \(count) \(member): \(signals)")
    }
    return takeSignals()
  }

  /// The signals that came since the last time.
  func takeSignals() -> [ReceivedSignal] {
    defer { signals = [] }
    return signals
  }
}

extension Value {
  /// The text.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}

/// Reads what a store that is still open has committed, by way of a copy.
func storedState(in directory: TemporaryDirectory) throws -> StoredState {
  let copy = try TemporaryDirectory()
  guard try SpawnedProcess("cp", ["-r", directory.path + "/.", copy.path]).wait() == .exited(0)
  else {
    throw TestFailure("the state can't be copied")
  }
  let store = try BadgeStore.open(StateDirectory(path: copy.path))
  defer { try? store.close() }
  return try store.load(bus: "")
}

extension StoreChanges {
  /// Saves a whole state.
  init(_ state: StoredState) {
    self.init()
    badges = state.badges
    settings = state.settings
    senders = state.senders
  }
}

extension ObjectPath {
  /// The manager's object, spelled out as callers see it.
  static var manager: ObjectPath { ObjectPath(constant: "/org/badged/Badges1") }
}

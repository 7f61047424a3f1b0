// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import Glibc
import TestSupport

/// A client that calls the daemon and records its signals, as a panel would.
final class BusClient {
  static let name = BusName(constant: "org.badged.Badges1")
  static let manager = ObjectPath(constant: "/org/badged/Badges1")
  static let interface = InterfaceName(constant: "org.badged.Badges1")

  /// A received Changed or Removed.
  struct Signal {
    var member: String
    var id: String
    /// The badge's state, for Changed.
    var badge: [String: Value] = [:]
    /// The reason, for Removed.
    var reason = ""
    var hint: [String: Value]
    var revision: UInt64
    /// When it was received.
    var instant: Instant
  }

  let loop: EventLoop
  let connection: Connection
  private(set) var signals: [Signal] = []

  /// Connects, and by default subscribes to the daemon's signals.
  init(_ bus: PrivateBus = .current, subscribes: Bool = true) throws {
    loop = try EventLoop()
    connection = try Connection(address: bus.address)
    try connection.attach(to: loop)
    guard subscribes else { return }
    try connection.subscribe(.signal(of: Self.interface, from: Self.manager)) { [weak self] in
      self?.receive($0)
    }
    _ = try connection.busID
  }

  private func receive(_ message: Message) {
    guard let values = try? message.values(), values.count == 4, let member = message.member,
      case .string(let id) = values[0], case .uint64(let revision) = values[3]
    else { return }
    var signal = Signal(
      member: member.rawValue,
      id: id,
      hint: values[2].entries,
      revision: revision,
      instant: .now()
    )
    if case .string(let reason) = values[1] { signal.reason = reason }
    signal.badge = values[1].entries
    signals.append(signal)
  }

  /// Queues a call; `done` receives the result.
  func send(
    _ member: String,
    _ arguments: [Value] = [],
    interface: InterfaceName = BusClient.interface,
    done: @escaping (Result<Message, BusError>) -> Void = { _ in }
  ) throws {
    guard let member = MemberName(member) else { throw TestFailure("no name: \(member)") }
    let call = MethodCall(
      destination: Self.name,
      path: Self.manager,
      interface: interface,
      member: member
    )
    try connection.call(call) { writer in
      for argument in arguments { writer.append(argument) }
    } completion: {
      done($0)
    }
  }

  /// Calls and waits for the reply.
  @discardableResult
  func call(
    _ member: String,
    _ arguments: Value...,
    interface: InterfaceName = BusClient.interface
  ) throws -> [Value] {
    var outcome: Result<Message, BusError>?
    try send(member, arguments, interface: interface) { outcome = $0 }
    guard try loop.run(until: { outcome != nil }), let outcome else {
      throw TestFailure("no reply to \(member)")
    }
    return try outcome.get().values()
  }

  /// All badges by id, and the revision.
  func list() throws -> (revision: UInt64, badges: [String: [String: Value]]) {
    let values = try call("List")
    guard values.count == 2, case .uint64(let revision) = values[0] else {
      throw TestFailure("List returned \(values)")
    }
    return (revision, values[1].entries.mapValues(\.entries))
  }

  /// A property of the manager.
  func property(_ name: String) throws -> Value? {
    let values = try call(
      "Get",
      .string("org.badged.Badges1"),
      .string(name),
      interface: InterfaceName(constant: "org.freedesktop.DBus.Properties")
    )
    guard case .variant(let value) = values.first else { return nil }
    return value
  }

  /// Waits for at least `count` signals, then returns and forgets all of them.
  func take(_ count: Int) throws -> [Signal] {
    guard try loop.run(until: { signals.count >= count }) else {
      throw TestFailure("received \(signals.count) signals instead of \(count): \(signals)")
    }
    defer { signals = [] }
    return signals
  }

  /// The count of a badge, or nil if it is absent.
  func count(_ id: String) throws -> Int64? {
    guard case .int64(let count) = try list().badges[id]?["count"] else { return nil }
    return count
  }
}

// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import Glibc
import TestSupport

/// A program on the bus that follows the daemon, as a panel would.
final class BusClient {
  static let name = BusName(constant: "org.badged.Badges1")
  static let manager = ObjectPath(constant: "/org/badged/Badges1")
  static let interface = InterfaceName(constant: "org.badged.Badges1")

  /// A Changed or Removed as it came.
  struct Signal {
    var member: String
    var id: String
    /// What Changed says of the badge.
    var badge: [String: Value] = [:]
    /// Why it was Removed.
    var reason = ""
    var hint: [String: Value]
    var revision: UInt64
    /// When it came.
    var instant: Instant
  }

  let loop: EventLoop
  let connection: BusConnection
  private(set) var signals: [Signal] = []

  /// Connects, and subscribes to the daemon's signals.
  init(_ bus: PrivateBus = .current, subscribes: Bool = true) throws {
    loop = try EventLoop()
    connection = try BusConnection(address: bus.address)
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

  /// Queues a call; `done` gets the outcome.
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

  /// Waits until so many signals have come, and takes them all.
  func take(_ count: Int) throws -> [Signal] {
    guard try loop.run(until: { signals.count >= count }) else {
      throw TestFailure("\(signals.count) signals came instead of \(count): \(signals)")
    }
    defer { signals = [] }
    return signals
  }

  /// The count of a badge; nil where there is none.
  func count(_ id: String) throws -> Int64? {
    guard case .int64(let count) = try list().badges[id]?["count"] else { return nil }
    return count
  }
}

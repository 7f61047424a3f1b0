// SPDX-License-Identifier: MIT
import BadgeClient
import DBus
import EventLoop
import TestSupport

/// Follows the daemon's property `Durable` by its signals.
final class DurabilityFollower {
  private static let properties = InterfaceName(constant: "org.freedesktop.DBus.Properties")

  let loop: EventLoop
  private let connection: BusConnection
  /// The value of each signal that named it, in order.
  private(set) var signalled: [Bool] = []

  /// Follows it from now on; the daemon has to be there.
  init(on bus: PrivateBus) throws {
    loop = try EventLoop()
    connection = try BusConnection(address: bus.address)
    try connection.attach(to: loop)
    var rule = MatchRule(kind: .signal, sender: BusName(constant: "org.badged.Badges1"))
    rule.path = ObjectPath(constant: "/org/badged/Badges1")
    rule.interface = Self.properties
    try connection.subscribe(rule) { [weak self] message in self?.take(message) }
    // The daemon signals what somebody has asked for.
    _ = try read()
  }

  private func take(_ message: Message) {
    guard let values = try? message.values(), values.count == 3,
      case .dictionary(_, _, let entries) = values[1]
    else { return }
    for entry in entries where entry.key == .string("Durable") {
      signalled.append(entry.value == .variant(.boolean(true)))
    }
  }

  /// Reads it.
  func read() throws -> Bool {
    let call = MethodCall(
      destination: BusName(constant: "org.badged.Badges1"),
      path: ObjectPath(constant: "/org/badged/Badges1"),
      interface: Self.properties,
      member: MemberName(constant: "Get")
    )
    let reply = try connection.callAndWait(call) { body in
      body.append("org.badged.Badges1")
      body.append("Durable")
    }
    return try reply.values() == [.variant(.boolean(true))]
  }

  /// Waits for the signal that says so.
  func waits(for value: Bool) throws -> Bool {
    try loop.run { signalled.last == value }
  }
}

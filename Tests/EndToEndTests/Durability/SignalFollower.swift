// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import TestSupport

/// Hears all that daemons on a bus say of badges, from before they start.
final class SignalFollower {
  /// One signal: its name, the badge, and the event of its hint.
  struct Heard: Equatable {
    var member: String
    var id: String
    var reason: String?
    var event: String?
    var revision: UInt64
  }

  let loop: EventLoop
  private let connection: BusConnection
  /// All that was heard, in order.
  private(set) var heard: [Heard] = []
  /// Called when the daemon's name gets an owner.
  var nameAppeared: ((BusConnection) -> Void)?

  init(on bus: PrivateBus) throws {
    loop = try EventLoop()
    connection = try BusConnection(address: bus.address)
    try connection.attach(to: loop)
    var rule = MatchRule(kind: .signal)
    rule.interface = InterfaceName(constant: "org.badged.Badges1")
    try connection.subscribe(rule) { [weak self] message in
      guard let values = try? message.values(), let member = message.member?.rawValue else {
        return
      }
      self?.take(member, values)
    }
    var owner = MatchRule(kind: .signal, sender: BusName(constant: "org.freedesktop.DBus"))
    owner.member = MemberName(constant: "NameOwnerChanged")
    owner.arguments = [0: "org.badged.Badges1"]
    try connection.subscribe(owner) { [weak self] message in
      guard let self, let values = try? message.values(), values.last != .string("") else { return }
      nameAppeared?(connection)
    }
    // The bus knows of the subscriptions once it has answered what comes after them.
    _ = try connection.busID
  }

  private func take(_ member: String, _ values: [Value]) {
    guard values.count == 4, case .string(let id) = values[0],
      case .dictionary(_, _, let hint) = values[2], case .uint64(let revision) = values[3]
    else { return }
    var heard = Heard(member: member, id: id, revision: revision)
    if case .string(let reason) = values[1] { heard.reason = reason }
    let event = hint.first { $0.key == .string("event") }?.value
    if case .variant(.string(let event))? = event { heard.event = event }
    self.heard.append(heard)
  }

  /// Waits until so many signals have been heard.
  func waits(for count: Int) throws -> Bool {
    try loop.run { heard.count >= count }
  }
}

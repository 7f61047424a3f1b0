// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore
import EventLoop
import TestSupport

/// Several clients that change badges as fast as they can, on one loop.
final class Load {
  let loop: EventLoop
  let clients: [LoadClient]
  private let observer: BadgeClient

  init(on bus: PrivateBus, clients count: Int = 3, seed: UInt64) throws {
    let loop = try EventLoop()
    self.loop = loop
    clients = try (0..<count).map { number in
      try LoadClient(
        "load\(number)",
        address: bus.address,
        loop: loop,
        seed: seed &+ UInt64(number)
      )
    }
    observer = try BadgeClient(address: bus.address)
  }

  /// How many changes were acknowledged so far.
  var acknowledged: Int { clients.reduce(0) { $0 + $1.acknowledged } }

  /// What must never happen and did.
  var faults: [String] { clients.flatMap(\.faults) }

  /// Sends calls, for so long from the first reply on.
  func run(for duration: Duration) throws {
    let before = acknowledged
    for client in clients { client.begin() }
    guard try loop.run(until: { acknowledged > before || !faults.isEmpty }) else {
      throw TestFailure("no call was answered")
    }
    try turn(for: duration)
  }

  /// Lets the loop go on for a time.
  func turn(for duration: Duration) throws {
    var isOver = false
    loop.schedule(after: duration) { isOver = true }
    _ = try loop.run(within: duration + .seconds(10)) { isOver }
  }

  /// Waits until each call has been answered.
  func drain() throws {
    for client in clients { client.end() }
    guard try loop.run(within: .seconds(20), until: { clients.allSatisfy { $0.outstanding == 0 } })
    else {
      throw TestFailure("\(clients.map(\.outstanding)) calls were never answered")
    }
  }

  /// Compares what the daemon holds with what it acknowledged.
  ///
  /// - Returns: How many acknowledged changes are lost.
  func check() throws -> Int {
    let list = try observer.list()
    let present = Dictionary(
      uniqueKeysWithValues: list.badges.map { ($0.id.rawValue, LoadedBadge($0)) }
    )
    return clients.reduce(0) { $0 + $1.check(present) }
  }
}

// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore
import DBus
import EventLoop
import TestSupport

/// Several clients on one loop that change badges as fast as they can.
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

  /// The number of acknowledged changes so far.
  var acknowledged: Int { clients.reduce(0) { $0 + $1.acknowledged } }

  /// Violations of what the daemon guarantees.
  var faults: [String] { clients.flatMap(\.faults) }

  /// Sends calls for `duration` after the first reply.
  func run(for duration: Duration) throws {
    let before = acknowledged
    for client in clients { client.begin() }
    guard try loop.run(until: { acknowledged > before || !faults.isEmpty }) else {
      throw TestFailure("no call was answered")
    }
    try turn(for: duration)
  }

  /// Runs the loop for `duration`.
  func turn(for duration: Duration) throws {
    var isOver = false
    loop.schedule(after: duration) { isOver = true }
    _ = try loop.run(within: duration + .seconds(60)) { isOver }
  }

  /// Stops sending and waits until each call has been answered.
  func drain() throws {
    for client in clients { client.end() }
    guard try loop.run(until: { clients.allSatisfy { $0.outstanding == 0 } })
    else {
      throw TestFailure("\(clients.map(\.outstanding)) calls were never answered")
    }
  }

  /// Compares the daemon's badges with the acknowledged changes.
  ///
  /// - Returns: The number of lost changes that had been acknowledged.
  func check() throws -> Int {
    let list = try observer.list()
    let present = Dictionary(
      uniqueKeysWithValues: list.badges.map { ($0.id.rawValue, LoadedBadge($0)) }
    )
    return clients.reduce(0) { $0 + $1.check(present) }
  }
}

/// A client that changes its own badges with many calls outstanding, and records which were
/// acknowledged.
///
/// Its calls arrive in order, so the badges after each call follow from the calls alone.
final class LoadClient {
  private struct Sent {
    var id: String
    var step: LoadStep
    var isAcknowledged = false
  }

  private let connection: Connection
  private let ids: [String]
  private var random: SeededGenerator
  private var ordinal: Int64 = 0
  /// The badges at the start of the round.
  private var base: [String: LoadedBadge] = [:]
  /// The badges once all sent calls have been handled.
  private var expected: [String: LoadedBadge] = [:]
  private var sent: [Sent] = []
  private var isRunning = false

  /// The maximum number of outstanding calls.
  var window = 64
  /// The number of calls without a reply.
  private(set) var outstanding = 0
  /// The number of acknowledged changes in all rounds.
  private(set) var acknowledged = 0
  /// The error replies of this round.
  private(set) var errors: [BusError] = []
  /// Violations of what the daemon guarantees.
  private(set) var faults: [String] = []

  /// Connects; the client changes badges whose ids begin with `name`.
  init(_ name: String, address: String, loop: EventLoop, seed: UInt64) throws {
    connection = try Connection(address: address)
    try connection.attach(to: loop)
    ids = (0..<6).map { "\(name).\($0)" }
    random = SeededGenerator(seed: seed)
  }

  /// Keeps ``window`` calls outstanding until the first error or ``end()``.
  func begin() {
    sent = []
    errors = []
    expected = base
    isRunning = true
    fill()
  }

  /// Stops sending calls.
  func end() { isRunning = false }

  private func fill() {
    while isRunning, outstanding < window { send() }
  }

  private func send() {
    guard let id = ids.randomElement(using: &random) else { return }
    ordinal += 1
    let step = LoadStep.random(ordinal: ordinal, of: expected[id], using: &random)
    step.apply(to: &expected[id])
    let index = sent.count
    sent.append(Sent(id: id, step: step))
    let count = expected[id].map { $0.number + $0.source }
    let call = MethodCall(
      destination: BusName(constant: "org.badged.Badges1"),
      path: ObjectPath(constant: "/org/badged/Badges1"),
      interface: InterfaceName(constant: "org.badged.Badges1"),
      member: step.member,
      autoStart: false
    )
    do {
      try connection.call(call) { body in
        step.write(id: id, to: &body)
      } completion: { [weak self] result in
        self?.complete(index, expecting: count, result)
      }
      outstanding += 1
    } catch {
      isRunning = false
      faults.append("a call could not be sent: \(error)")
    }
  }

  private func complete(_ index: Int, expecting count: Int64?, _ result: Result<Message, BusError>)
  {
    outstanding -= 1
    switch result {
    case .success(let message):
      sent[index].isAcknowledged = true
      acknowledged += 1
      if case .increment = sent[index].step, (try? message.values()) != [.int64(count ?? 0)] {
        faults.append("an increment returned \((try? message.values()) ?? []), not \(count ?? 0)")
      }
    case .failure(let error):
      isRunning = false
      errors.append(error)
    }
    fill()
  }

  /// Compares the daemon's badges with the states this round allows, and starts the next from there.
  ///
  /// Allowed are the state after the last acknowledged call and the states after each later call: calls
  /// are handled in order, so none may be missing before one that was handled.
  ///
  /// - Parameter present: All badges of the daemon; those of other clients are ignored.
  /// - Returns: The number of lost changes that had been acknowledged.
  func check(_ present: [String: LoadedBadge]) -> Int {
    defer { sent = [] }
    let mine = present.filter { ids.contains($0.key) }
    let last = (sent.lastIndex { $0.isAcknowledged } ?? -1) + 1
    var state = base
    var match = state == mine ? 0 : nil
    for (index, sent) in sent.enumerated() {
      sent.step.apply(to: &state[sent.id])
      // Several calls can leave the same state; take the last.
      if state == mine { match = index + 1 }
    }
    base = mine
    guard let match else {
      faults.append("the badges match no state that the calls led through: \(mine)")
      return sent.count { $0.isAcknowledged }
    }
    return max(0, last - match)
  }
}

/// The parts of a badge that the load writes.
struct LoadedBadge: Hashable {
  var number: Int64 = 0
  var source: Int64 = 0
  var text = ""
  var description = ""
  var isUrgent = false

  init() {}

  /// The badge as the daemon reports it.
  init(_ badge: BadgeState) {
    source = badge.sources.first { $0.name == LoadStep.source }?.count ?? 0
    number = badge.count - source
    text = badge.text
    description = badge.description
    isUrgent = badge.isUrgent
  }
}

/// One change: the call, and its effect on a model of the badge.
enum LoadStep: Hashable {
  case set(Int64)
  case increment(by: Int64)
  case setSource(Int64)
  case setText(String)
  case update(Int64)
  case remove

  /// The named source that the load uses.
  static let source = "account"

  /// A change that leaves a badge in a new state, since `ordinal` rises with each.
  static func random(
    ordinal: Int64,
    of badge: LoadedBadge?,
    using random: inout some RandomNumberGenerator
  ) -> LoadStep {
    switch Int.random(in: 0..<12, using: &random) {
    case 0 where badge != nil: .remove
    case 1: .setText("t\(ordinal)")
    case 2, 3: .increment(by: ordinal)
    case 4, 5: .setSource(ordinal)
    case 6...8: .update(ordinal)
    default: .set(ordinal)
    }
  }

  /// Applies the change to the model.
  func apply(to badge: inout LoadedBadge?) {
    guard self != .remove else {
      badge = nil
      return
    }
    var changed = badge ?? LoadedBadge()
    switch self {
    case .set(let number):
      changed.number = number
      changed.text = ""
    case .increment(let amount):
      changed.number += amount
      changed.text = ""
    case .setSource(let count): changed.source = count
    case .setText(let text):
      changed.number = 0
      changed.text = text
    case .update(let number):
      changed.number = number
      changed.text = ""
      changed.description = "as of \(number)"
      changed.isUrgent = number % 2 == 0
    case .remove: break
    }
    badge = changed
  }

  /// The method that makes the change.
  var member: MemberName {
    switch self {
    case .set: MemberName(constant: "Set")
    case .increment: MemberName(constant: "Increment")
    case .setSource: MemberName(constant: "SetSource")
    case .setText: MemberName(constant: "SetText")
    case .update: MemberName(constant: "Update")
    case .remove: MemberName(constant: "Remove")
    }
  }

  /// Writes the arguments of the call.
  func write(id: String, to body: inout MessageWriter) {
    body.append(id)
    switch self {
    case .set(let number), .increment(let number): body.append(number)
    case .setSource(let count):
      body.append(Self.source)
      body.append(count)
    case .setText(let text): body.append(text)
    case .update(let number):
      body.appendDictionary { entries in
        entries.appendEntry("count", variant: number)
        entries.appendEntry("description", variant: "as of \(number)")
        entries.appendEntry("urgent", variant: number % 2 == 0)
      }
    case .remove: break
    }
  }
}

// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import TestSupport

/// A client that changes badges of its own with many calls on their way at once, and notes which were
/// acknowledged.
///
/// Its calls travel in order, so that what the daemon holds after any of them follows from the calls
/// alone.
final class LoadClient {
  private struct Sent {
    var id: String
    var step: LoadStep
    var isAcknowledged = false
  }

  private let connection: BusConnection
  private let ids: [String]
  private var random: SeededGenerator
  private var ordinal: Int64 = 0
  /// What was there when the round began.
  private var base: [String: LoadedBadge] = [:]
  /// What is there once all that was sent has been done.
  private var expected: [String: LoadedBadge] = [:]
  private var sent: [Sent] = []
  private var isRunning = false

  /// How many calls are on their way at most.
  var window = 64
  /// How many calls were sent that have no reply yet.
  private(set) var outstanding = 0
  /// How many changes were acknowledged in all rounds.
  private(set) var acknowledged = 0
  /// The errors that came in place of replies in this round.
  private(set) var errors: [BusError] = []
  /// What must never happen and did.
  private(set) var faults: [String] = []

  /// A client that is connected, and changes badges whose ids begin with `name`.
  init(_ name: String, address: String, loop: EventLoop, seed: UInt64) throws {
    connection = try BusConnection(address: address)
    try connection.attach(to: loop)
    ids = (0..<6).map { "\(name).\($0)" }
    random = SeededGenerator(seed: seed)
  }

  /// Sends as many calls as may be on their way, and another for each reply, until the first error.
  func begin() {
    sent = []
    errors = []
    expected = base
    isRunning = true
    fill()
  }

  /// Sends nothing more.
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

  /// Compares what is there with what the calls of this round allow, and goes on from there.
  ///
  /// That is what one of the calls left, the last acknowledged one or one after it: all that were
  /// sent before it have been done, and none after it.
  ///
  /// - Parameter present: All badges that are there; those of others are left out here.
  /// - Returns: How many acknowledged changes are lost.
  func check(_ present: [String: LoadedBadge]) -> Int {
    defer { sent = [] }
    let mine = present.filter { ids.contains($0.key) }
    let last = (sent.lastIndex { $0.isAcknowledged } ?? -1) + 1
    var state = base
    var match = state == mine ? 0 : nil
    for (index, sent) in sent.enumerated() {
      sent.step.apply(to: &state[sent.id])
      // Two calls in a row can leave the same: the later one stands for both.
      if state == mine { match = index + 1 }
    }
    base = mine
    guard let match else {
      faults.append("what is there was never there in this order: \(mine)")
      return sent.count { $0.isAcknowledged }
    }
    return max(0, last - match)
  }
}

// SPDX-License-Identifier: MIT

/// Calls that wait for a turn with capacity for their replies, served round robin by caller, so that
/// nobody who asks for much keeps others waiting.
struct WaitingCalls {
  private var queues: [BusName: [Message]] = [:]
  /// The callers, the next one to be served at the end.
  private var rotation: [BusName] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Adds a call.
  ///
  /// - Returns: Whether the limits allow it.
  mutating func append(_ call: Message) -> Bool {
    guard let caller = call.sender, count < ConnectionLimits.waitingCalls else { return false }
    if queues[caller] == nil { rotation.insert(caller, at: 0) }
    guard queues[caller, default: []].count < ConnectionLimits.waitingCallsPerCaller else {
      return false
    }
    queues[caller, default: []].append(call)
    count += 1
    return true
  }

  /// Takes the next call.
  mutating func next() -> Message? {
    guard let caller = rotation.popLast(), var queue = queues[caller] else { return nil }
    let call = queue.removeFirst()
    count -= 1
    queues[caller] = queue.isEmpty ? nil : queue
    if !queue.isEmpty { rotation.insert(caller, at: 0) }
    return call
  }
}

// SPDX-License-Identifier: MIT
internal import EventLoop

/// A call whose reply is still to come.
///
/// The connection keeps it, so this object need not be kept.
public final class PendingCall {
  fileprivate let serial: UInt32
  fileprivate let deadline: Instant
  fileprivate let destination: BusName
  /// How errors name the call.
  fileprivate let label: String
  fileprivate var timer: Timer?
  private var completion: ((Result<Message, BusError>) -> Void)?
  private weak var connection: Connection?

  init(
    serial: UInt32,
    deadline: Instant,
    destination: BusName,
    label: String,
    connection: Connection,
    completion: @escaping (Result<Message, BusError>) -> Void
  ) {
    self.serial = serial
    self.deadline = deadline
    self.destination = destination
    self.label = label
    self.connection = connection
    self.completion = completion
  }

  /// Whether the completion is still to be called.
  public var isPending: Bool { completion != nil }

  /// Gives up: the completion is not called, and the reply is ignored.
  public func cancel() {
    completion = nil
    timer?.cancel()
    connection?.forget(self)
  }

  /// Calls the completion, the first time only.
  fileprivate func finish(_ result: Result<Message, BusError>) {
    timer?.cancel()
    timer = nil
    let completion = self.completion
    self.completion = nil
    completion?(result)
  }
}

/// The calls of a connection whose replies are still to come, each with its deadline.
struct PendingCalls {
  private var calls: [UInt32: PendingCall] = [:]

  var isEmpty: Bool { calls.isEmpty }

  var isFull: Bool { calls.count >= ConnectionLimits.pendingCalls }

  /// Adds a call; without a loop yet its deadline waits for ``startTimers(on:of:)``.
  mutating func add(_ call: PendingCall, on loop: EventLoop?, of connection: Connection) {
    calls[call.serial] = call
    if let loop { Self.startTimer(of: call, on: loop, connection) }
  }

  func startTimers(on loop: EventLoop, of connection: Connection) {
    for call in calls.values { Self.startTimer(of: call, on: loop, connection) }
  }

  private static func startTimer(of call: PendingCall, on loop: EventLoop, _ connection: Connection)
  {
    call.timer = loop.schedule(at: call.deadline) { [weak call, weak connection] in
      guard let call else { return }
      connection?.forget(call)
      call.finish(.failure(noReply(to: call.label)))
    }
  }

  static func noReply(to label: String) -> BusError {
    BusError(name: .noReply, message: "no reply in time: '\(label)'")
  }

  /// Whether a message is the reply to one of the calls, and comes from whom was called.
  func isAnswered(by message: Message) -> Bool {
    calls[message.replySerial].map { message.isReply(of: $0.destination) } ?? false
  }

  /// Takes out the call that a message replies to.
  ///
  /// - Returns: What finishes it; nil where nobody waits for this reply.
  mutating func take(answeredBy message: Message) -> (() -> Void)? {
    guard isAnswered(by: message), let call = calls.removeValue(forKey: message.replySerial) else {
      return nil
    }
    return { call.finish(message.error.map { .failure($0) } ?? .success(message)) }
  }

  mutating func remove(_ call: PendingCall) {
    if calls[call.serial] === call { calls[call.serial] = nil }
  }

  /// Takes all calls out.
  ///
  /// - Returns: What fails them, in the order they were made.
  mutating func removeAll() -> (BusError) -> Void {
    let all = calls.values.sorted { $0.serial < $1.serial }
    calls = [:]
    return { error in for call in all { call.finish(.failure(error)) } }
  }
}

/// A queue of messages that knows how many bytes they have.
struct MessageQueue {
  private var entries: [(message: Message?, byteCount: Int)] = []
  private var next = 0
  /// The bytes of the messages in the queue.
  private(set) var byteCount = 0

  var count: Int { entries.count - next }

  var isEmpty: Bool { count == 0 }

  var first: Message? { isEmpty ? nil : entries[next].message }

  mutating func append(_ message: Message, byteCount: Int) {
    entries.append((message, byteCount))
    self.byteCount += byteCount
  }

  @discardableResult
  mutating func popFirst() -> Message? {
    guard !isEmpty else { return nil }
    let entry = entries[next]
    entries[next].message = nil
    next += 1
    byteCount -= entry.byteCount
    if isEmpty { removeAll() }
    return entry.message
  }

  mutating func removeAll() {
    let isSmall = entries.count <= 1_024
    entries.removeAll(keepingCapacity: isSmall)
    next = 0
    byteCount = 0
  }
}

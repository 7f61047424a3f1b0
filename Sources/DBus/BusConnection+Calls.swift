// SPDX-License-Identifier: MIT
import EventLoop
import Glibc

extension BusConnection {
  /// Queues a call; `body` writes its arguments, and `completion` gets the reply, or the remote
  /// error under its own name, or `NoReply`, or `Disconnected`.
  ///
  /// The connection has to be attached to a loop, now or later, for the reply to come.
  ///
  /// Only a reply of whom was called counts, or an error of the bus; for a call to a well-known name
  /// that is anybody's, since the bus does not say who owned it.
  ///
  /// - Throws: ``BusError`` `Disconnected`, `LimitsExceeded` with
  ///   ``ConnectionLimits/pendingCalls`` of them, or why the body cannot be sent; then `completion`
  ///   is not called.
  @discardableResult
  public func call(
    _ call: MethodCall,
    timeout: Duration = defaultTimeout,
    _ body: (inout MessageWriter) throws(BusError) -> Void = { _ in },
    completion: @escaping (Result<Message, BusError>) -> Void
  ) throws(BusError) -> PendingCall {
    guard pending.count < ConnectionLimits.pendingCalls else {
      throw .limitsExceeded("\(ConnectionLimits.pendingCalls) calls without a reply")
    }
    let serial = try enqueue(call, flags: [], body)
    return expectReply(
      to: serial,
      of: call.destination,
      label: call.label,
      deadline: .now() + timeout,
      completion: completion
    )
  }

  func expectReply(
    to serial: UInt32,
    of destination: BusName,
    label: String,
    deadline: Instant,
    completion: @escaping (Result<Message, BusError>) -> Void
  ) -> PendingCall {
    let call = PendingCall(
      serial: serial,
      deadline: deadline,
      destination: destination,
      label: label,
      connection: self,
      completion: completion
    )
    pending.set(call, for: UInt64(serial))
    startTimer(of: call)
    return call
  }

  /// Starts the timer of a pending call, where there is a loop.
  func startTimer(of call: PendingCall) {
    call.timer = loop?.schedule(at: call.deadline) { [weak self, weak call] in
      guard let call, self?.pending.remove(UInt64(call.serial)) != nil else { return }
      call.finish(.failure(Self.noReply(to: call.label)))
    }
  }

  /// The call that a message answers; nil where nobody waits for it, or not from whom it comes.
  func pendingCall(answeredBy message: Message) -> PendingCall? {
    guard let call = pending[UInt64(message.replySerial)], message.isReply(of: call.destination)
    else { return nil }
    return call
  }

  func forget(_ call: PendingCall) {
    pending.remove(UInt64(call.serial))
  }

  private static func noReply(to label: String) -> BusError {
    .noReply("no reply in time: '\(label)'")
  }

  /// Sends a call, after all that is queued, and waits for the reply.
  ///
  /// Other messages that come meanwhile are handled later, by the loop.
  ///
  /// - Throws: ``BusError``: the remote error under its own name, `NoReply`, `Disconnected`, or why
  ///   the body cannot be sent.
  public func callAndWait(
    _ call: MethodCall,
    timeout: Duration = defaultTimeout,
    _ body: (inout MessageWriter) throws(BusError) -> Void = { _ in }
  ) throws(BusError) -> Message {
    guard state == .ready else { throw .disconnected("not connected to a bus") }
    let deadline = Instant.now() + timeout
    let serial = try enqueue(call, flags: [], body)
    try flush(until: deadline)
    defer { if !incoming.isEmpty { noteMessagesWaiting() } }
    while true {
      while let message = takeMessage() {
        if try takeGreeting(message) { continue }
        if message.replySerial == serial, message.isReply(of: call.destination) {
          if let error = message.error { throw error }
          return message
        }
        keepForLater(message)
      }
      guard try wait(for: POLLIN, until: deadline) else { throw Self.noReply(to: call.label) }
    }
  }
}

extension Message {
  /// Whether this can be the answer to a call: serials are easily guessed, and a session bus lets
  /// everybody answer everything.
  func isReply(of destination: BusName) -> Bool {
    guard kind == .methodReturn || kind == .error else { return false }
    if hasSender(.bus) { return destination == .bus || kind == .error }
    // Without a bus between, there is nobody else.
    if fields.sender.isEmpty { return true }
    return destination.isUnique ? hasSender(destination) : destination != .bus
  }
}

// SPDX-License-Identifier: MIT
import EventLoop
import Glibc

extension BusConnection {
  /// Queues a signal; `body` writes its values.
  ///
  /// - Throws: ``BusError`` `Disconnected`, or why the body cannot be sent.
  public func send(
    signal member: MemberName,
    of interface: InterfaceName,
    from path: ObjectPath,
    to destination: BusName? = nil,
    _ body: (inout MessageWriter) throws(BusError) -> Void
  ) throws(BusError) {
    let header = OutgoingHeader(
      kind: .signal,
      flags: .noReplyExpected,
      serial: takeSerial(),
      path: path,
      interface: interface,
      member: member,
      destination: destination
    )
    try enqueue(header, body)
  }

  /// Queues the reply to a call; `body` writes its values.
  ///
  /// Where the caller wants no reply, nothing is sent and `body` is not called.
  ///
  /// - Throws: ``BusError`` `Disconnected`, or why the body cannot be sent; nothing was sent then.
  public func reply(
    to call: Message,
    _ body: (inout MessageWriter) throws(BusError) -> Void = { _ in }
  ) throws(BusError) {
    guard call.expectsReply else { return }
    let header = OutgoingHeader(
      kind: .methodReturn,
      flags: .noReplyExpected,
      serial: takeSerial(),
      replySerial: call.serial,
      destination: call.sender
    )
    try enqueue(header, body)
  }

  /// Queues an error as the reply to a call; does nothing where the caller wants no reply, or is
  /// gone with the bus.
  public func reply(to call: Message, error: BusError) {
    guard call.expectsReply else { return }
    let header = OutgoingHeader(
      kind: .error,
      flags: .noReplyExpected,
      serial: takeSerial(),
      replySerial: call.serial,
      errorName: error.name,
      destination: call.sender
    )
    // An answer is owed even where the text cannot be sent as it is.
    let text = error.message.utf8.contains(0) ? "" : error.message
    do throws(BusError) {
      try enqueue(header) { $0.append(text) }
    } catch {
      try? enqueue(header) { _ in }
    }
  }

  /// Queues a call and wants no reply.
  ///
  /// - Throws: ``BusError`` `Disconnected`, or why the body cannot be sent.
  public func send(
    _ call: MethodCall,
    _ body: (inout MessageWriter) throws(BusError) -> Void = { _ in }
  ) throws(BusError) {
    _ = try enqueue(call, flags: .noReplyExpected, body)
  }

  /// Queues a call and returns its serial.
  func enqueue(
    _ call: MethodCall,
    flags: MessageFlags,
    _ body: (inout MessageWriter) throws(BusError) -> Void
  ) throws(BusError) -> UInt32 {
    let header = OutgoingHeader(
      kind: .methodCall,
      flags: call.autoStart ? flags : flags.union(.noAutoStart),
      serial: takeSerial(),
      path: call.path,
      interface: call.interface,
      member: call.member,
      destination: call.destination
    )
    try enqueue(header, body)
    return header.serial
  }

  private func enqueue(
    _ header: OutgoingHeader,
    _ body: (inout MessageWriter) throws(BusError) -> Void
  ) throws(BusError) {
    guard isConnected else { throw .disconnected("not connected to a bus") }
    // A body that sends another message finds no scratch writer and gets one of its own.
    var writer = scratch.take() ?? MessageWriter()
    var failure: BusError?
    do throws(BusError) {
      try body(&writer)
      writer.finish()
      failure = writer.failure
    } catch {
      failure = error
    }
    if failure == nil && !writer.descriptors.isEmpty && !library.canSendDescriptors {
      failure = .notSupported("the bus passes no descriptors on")
    }
    if failure == nil && !isConnected { failure = .disconnected("not connected to a bus") }
    if failure == nil { outgoing.append(header, writer) }
    writer.reset()
    scratch = consume writer
    if let failure { throw failure }
  }

  /// Writes what is queued, as far as the socket takes it without waiting.
  ///
  /// The loop does this at the end of each turn.
  public func flush() {
    guard isConnected, isAuthenticated, !outgoing.isEmpty, let socket else { return }
    let wasBlocked = isBlocked
    let wasHeld = isHeld
    switch outgoing.write(to: socket) {
    case .drained:
      isBlocked = false
    case .blocked:
      isBlocked = true
    case .failed:
      // The end of the stream is yet to be found by reading, after what came before it.
      isBlocked = false
      isBroken = true
    }
    if wasHeld && !isHeld {
      backlog = .none
      noteMessagesWaiting()
    }
    // What was queued since the last time may have made it held, too.
    updateInterest()
    if wasBlocked && !isBlocked && !isBroken { onDrained?() }
  }

  /// Writes what is queued, waiting for the socket where it is full.
  ///
  /// - Throws: ``BusError`` `Disconnected`, or `Timeout` when some is left.
  public func flushAndWait(timeout: Duration = defaultTimeout) throws(BusError) {
    try flush(until: .now() + timeout)
  }

  /// Notes that nothing can be sent any more; the handlers hear of it from the loop.
  func lost() -> BusError {
    isBroken = true
    return .disconnected("the bus closed the connection")
  }

  func flush(until deadline: Instant) throws(BusError) {
    while true {
      flush()
      guard isConnected, state == .ready else { throw .disconnected("not connected to a bus") }
      if outgoing.isEmpty { return }
      // A bus that waits for this side to read would never take what is to be written.
      guard try wait(for: incoming.isFull ? POLLOUT : POLLIN | POLLOUT, until: deadline) else {
        let reason = isAuthenticated ? "takes no more messages" : "does not answer"
        throw BusError(name: .timeout, message: "the bus \(reason)")
      }
      if !incoming.isEmpty || hasEnded { noteMessagesWaiting() }
    }
  }
}

extension Duration {
  /// For `poll(2)`: whole milliseconds, rounded up.
  var pollMilliseconds: CInt {
    CInt(clamping: saturatedNanoseconds / 1_000_000 + 1)
  }
}

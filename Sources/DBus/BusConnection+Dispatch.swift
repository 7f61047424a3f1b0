// SPDX-License-Identifier: MIT
import EventLoop

extension BusConnection {
  /// Handles what has been read, and what the socket holds beyond that, as one turn.
  func handleMessages() {
    guard !isHandling, !isHeld else { return }
    isHandling = true
    defer { isHandling = false }
    backlog = .none
    var handled = 0
    var reads = 0
    while true {
      let before = handled
      while handled < Self.messagesPerTurn, !isFull, let message = nextMessage() {
        handled += 1
        handle(message)
      }
      if handled == Self.messagesPerTurn || isFull || reads == Self.readsPerTurn {
        noteMessagesWaiting()
        return
      }
      // A lone message is a caller that waits for its reply: asking for more would cost it time.
      guard !hasEnded, mayHaveMore || handled - before >= 2, read() else { break }
      reads += 1
    }
    if hasEnded { noteDisconnect() }
  }

  /// What is left after so many, of messages that are large, is for the next turn.
  private static let readsPerTurn = 64

  /// Whether so much waits to go out that the turn has to end first.
  private var isFull: Bool { outgoing.count >= Self.outgoingBytesPerTurn }

  /// Whether the bus has to read before more is handled; ``flush()`` sees to the rest then.
  var isHeld: Bool { isBlocked && isFull }

  /// Sees to it that the next turn handles what waits.
  func noteMessagesWaiting() {
    guard backlog == .none else { return }
    backlog = .fresh
    loop?.requestTurn()
  }

  private func nextMessage() -> Message? {
    guard state != .closed else { return nil }
    guard nextDeferred < deferred.count else { return takeMessage() }
    let message = deferred[nextDeferred]
    nextDeferred += 1
    if nextDeferred == deferred.count { forgetDeferred() }
    return message
  }

  private func handle(_ message: Message) {
    switch message.kind {
    case .methodCall: handleCall(message)
    case .methodReturn, .error: handleReply(message)
    case .signal: deliver(message)
    }
  }

  private func handleCall(_ message: Message) {
    if let onMethodCall { return onMethodCall(message) }
    if message.hasInterface(BusDriver.peerInterface), message.hasMember(BusDriver.ping) {
      try? reply(to: message)
    } else {
      let member = quoted(message.member?.rawValue ?? "")
      reply(to: message, error: .unknownMethod("this connection has no methods: \(member)"))
    }
  }

  private func handleReply(_ message: Message) {
    // A bus that refuses the connection also closes it.
    if (try? takeGreeting(message)) ?? true { return }
    guard let call = pendingCall(answeredBy: message) else { return }
    forget(call)
    if let error = message.error {
      call.finish(.failure(error))
    } else {
      call.finish(.success(message))
    }
  }
}

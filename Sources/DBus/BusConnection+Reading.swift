// SPDX-License-Identifier: MIT
import EventLoop
import Glibc

extension BusConnection {
  /// Goes on with the authentication, waiting at most so many milliseconds for the bus's part in it.
  ///
  /// Its steps are to read and to write, by turns; ``wantedInterest`` tells what the next one is.
  ///
  /// - Returns: Whether messages can travel.
  func authenticate(milliseconds: CInt = 0) -> Bool {
    if isAuthenticated { return true }
    if !library.isAuthenticated { hasEnded = !library.authenticate(milliseconds: milliseconds) }
    // What was read is answered at once.
    if library.wantsToWrite, !hasEnded, !library.isAuthenticated {
      hasEnded = !library.authenticate(milliseconds: 0)
    }
    isAuthenticated = library.isAuthenticated
    updateInterest()
    return isAuthenticated
  }

  /// Reads once, as far as the socket holds something.
  ///
  /// - Returns: Whether it did.
  @discardableResult
  func read() -> Bool {
    guard let socket else { return false }
    let outcome = incoming.read(from: socket)
    mayHaveMore = outcome == .full
    if outcome == .ended { hasEnded = true }
    return mayHaveMore || outcome == .some
  }

  /// The next message of those that were read.
  func takeMessage() -> Message? {
    do throws(BusError) {
      return try incoming.next()
    } catch {
      // Where the next message would start is not known any more.
      streamFault = error
      incoming.removeAll()
      hasEnded = true
      return nil
    }
  }

  /// Waits until the socket can be read, or as given written too, and reads once if it can.
  ///
  /// - Returns: false once the deadline is over.
  /// - Throws: ``BusError`` `Disconnected`.
  func wait(for events: Int32, until deadline: Instant) throws(BusError) -> Bool {
    guard let socket, !hasEnded else { throw lost() }
    let remaining = deadline - .now()
    guard remaining > .zero else { return false }
    guard isAuthenticated else {
      _ = authenticate(milliseconds: remaining.pollMilliseconds)
      return true
    }
    var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
    _ = unsafe poll(&entry, 1, remaining.pollMilliseconds)
    if entry.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { read() }
    return true
  }

  /// Keeps a message that came while a call is waited for, as long as there is room for it.
  ///
  /// Beyond ``ConnectionLimits/receivedBytes`` calls are refused and signals are lost: whoever sends
  /// so much into a wait makes nothing grow.
  func keepForLater(_ message: Message) {
    if message.kind == .methodReturn || message.kind == .error {
      guard pendingCall(answeredBy: message) != nil else { return }
    } else if deferredBytes + message.bytes.count > ConnectionLimits.receivedBytes {
      let limit = ConnectionLimits.receivedBytes >> 20
      guard hasRoomForLongReplies else { return }
      return reply(to: message, error: .limitsExceeded("\(limit) MiB of messages that wait"))
    }
    deferredBytes += message.bytes.count
    deferred.append(message)
    noteMessagesWaiting()
  }

  func forgetDeferred() {
    deferred = []
    nextDeferred = 0
    deferredBytes = 0
  }
}

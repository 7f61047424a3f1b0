// SPDX-License-Identifier: MIT
public import EventLoop

extension BusConnection {
  /// Lets the loop read, handle and write for this connection until it is closed.
  ///
  /// A turn handles up to ``messagesPerTurn`` messages; then ``willFlush`` is called, and all that
  /// was queued goes out together.
  ///
  /// - Throws: ``BusError`` `Disconnected`, or `Failed` where the connection has a loop already or
  ///   the descriptor cannot be watched.
  public func attach(to loop: EventLoop) throws(BusError) {
    guard isConnected, let socket else { throw .disconnected("not connected to a bus") }
    guard self.loop == nil else { throw .failed("the connection has a loop already") }
    loopWatch = try watch(socket, on: loop)
    self.loop = loop
    turnHook = loop.onTurnEnd { [weak self] in self?.endTurn() }
    for call in pending.values { startTimer(of: call) }
    backlog = .none
    noteMessagesWaiting()
    _ = authenticate()
  }

  private func watch(_ socket: CInt, on loop: EventLoop) throws(BusError) -> Watch {
    do throws(SystemError) {
      return try loop.watch(socket, for: wantedInterest) { [weak self] readiness in
        self?.handle(readiness)
      }
    } catch {
      throw .failed(error.description)
    }
  }

  /// Undoes ``attach(to:)``.
  func detach() {
    loopWatch?.cancel()
    loopWatch = nil
    turnHook?.cancel()
    turnHook = nil
    loop = nil
  }

  private func handle(_ readiness: Readiness) {
    if isAuthenticated {
      if isBlocked && readiness.contains(.writable) { flush() }
      guard readiness != .writable else { return }
      if !isHeld { read() }
    } else {
      _ = authenticate()
    }
    handleMessages()
  }

  private func endTurn() {
    if backlog == .ripe { handleMessages() }
    if let hasRoom, !isHeld { hasRoom() }
    willFlush?()
    flush()
    guard backlog == .fresh else { return }
    backlog = .ripe
    loop?.requestTurn()
  }

  var wantedInterest: Readiness {
    // What is not going to be handled stays with the bus.
    let interest: Readiness = isHeld ? [] : .readable
    let mustWrite = isAuthenticated ? isBlocked : library.wantsToWrite
    return mustWrite ? interest.union(.writable) : interest
  }

  /// Watches the socket for what is wanted of it now.
  func updateInterest() {
    loopWatch?.interest = wantedInterest
  }
}

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
    guard isConnected, let socket = library.socket else {
      throw .disconnected("not connected to a bus")
    }
    guard self.loop == nil else { throw .failed("the connection has a loop already") }
    let watches = LibraryWatches { [weak self] in self?.updateInterest() }
    try watches.install(on: library)
    libraryWatches = watches
    let timeouts = LibraryTimeouts(loop: loop) { [weak self] in self?.noteMessagesWaiting() }
    do throws(BusError) {
      try timeouts.install(on: library)
      libraryTimeouts = timeouts
      loopWatch = try watch(socket, on: loop)
    } catch {
      detach()
      throw error
    }
    self.loop = loop
    turnHook = loop.onTurnEnd { [weak self] in self?.endTurn() }
    for call in pending.values { startTimer(of: call) }
    backlog = .none
    noteMessagesWaiting()
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
    libraryWatches?.remove(from: library)
    libraryWatches = nil
    libraryTimeouts?.remove(from: library)
    libraryTimeouts = nil
    loop = nil
  }

  private func handle(_ readiness: Readiness) {
    libraryWatches?.handle(readiness)
    if isBlocked && readiness.contains(.writable) { flush() }
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

  private var wantedInterest: Readiness {
    var interest = libraryWatches?.interest ?? []
    // What is not going to be handled stays with the bus.
    if isHeld { interest.remove(.readable) }
    return isBlocked ? interest.union(.writable) : interest
  }

  /// Watches the socket for what libdbus and this side want of it together.
  func updateInterest() {
    guard let libraryWatches, let loopWatch else { return }
    if libraryWatches.isEmpty {
      // libdbus is about to close the socket, whose number may then be another file's.
      loopWatch.cancel()
      self.loopWatch = nil
    } else {
      loopWatch.interest = wantedInterest
    }
  }
}

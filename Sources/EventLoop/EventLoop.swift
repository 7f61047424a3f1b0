// SPDX-License-Identifier: MIT

/// Waits for descriptors, timers and signals in one place, on one thread (`epoll(7)`).
///
/// A *turn* is: wait, call the handlers of what is ready, fire the timers that are due, run the hooks
/// of ``onTurnEnd(_:)``. Handlers may add and cancel watches and timers and close descriptors as they
/// like: an event already fetched for a watch that is gone is dropped. With nothing to do the loop
/// sleeps and is not woken.
public final class EventLoop {
  private var epoll: EpollSet
  private var timerDescriptor: TimerDescriptor
  private var timers = TimerQueue()
  private var timersAreDue = false
  private var watches = SerialTable<Watch>()
  private var hooks: [TurnHook] = []
  private var nextIdentifier: UInt64 = 1
  private var turnIsRequested = false
  private var isStopping = false
  private var isInTurn = false

  /// How often the loop came back from waiting; an idle loop does not.
  public private(set) var wakeUpCount = 0

  /// A descriptor that is readable whenever the loop has something to handle, for another loop to poll.
  public var fileDescriptor: CInt { epoll.fileDescriptor }

  /// A loop with nothing to wait for.
  public init() throws(SystemError) {
    epoll = try EpollSet()
    timerDescriptor = try TimerDescriptor()
    try epoll.add(
      timerDescriptor.descriptor.rawValue,
      identifier: Self.timerIdentifier,
      interest: [.readable, .edgeTriggered]
    )
  }

  /// Calls `handler` whenever `descriptor` is ready for some of `interest`, hangs up or fails.
  ///
  /// Level-triggered: what is left unread is reported again. One watch a descriptor.
  ///
  /// - Throws: `EEXIST` for a descriptor already watched, `EPERM` for one that can't be (a plain file).
  @discardableResult
  public func watch(
    _ descriptor: CInt,
    for interest: Readiness,
    handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> Watch {
    let watch = Watch(
      descriptor: descriptor,
      identifier: nextIdentifier,
      interest: interest,
      loop: self,
      handler: handler
    )
    try epoll.add(descriptor, identifier: watch.identifier, interest: interest)
    nextIdentifier += 1
    // The kernel took the number again, so the descriptor of the watch before was closed under it.
    if let stale = watches.values.first(where: { $0.descriptor == descriptor }) {
      watches.remove(stale.identifier)
    }
    watches.set(watch, for: watch.identifier)
    return watch
  }

  /// Runs `action` once, at `deadline` or, if that has passed, in the next turn.
  @discardableResult
  public func schedule(at deadline: Instant, _ action: @escaping () -> Void) -> Timer {
    let timer = Timer(deadline: deadline, sequence: nextIdentifier, loop: self, action: action)
    nextIdentifier += 1
    timers.insert(timer)
    return timer
  }

  /// Runs `action` once, `delay` from now.
  @discardableResult
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> Timer {
    schedule(at: .now() + delay, action)
  }

  /// Runs `action` at the end of each turn and before the first, after the hooks added earlier.
  @discardableResult
  public func onTurnEnd(_ action: @escaping () -> Void) -> TurnHook {
    let hook = TurnHook(action: action)
    hooks.append(hook)
    return hook
  }

  /// Makes the next wait return at once.
  public func requestTurn() {
    turnIsRequested = true
  }

  /// Takes turns until ``stop()``; the turn in which that is called is finished, hooks included.
  public func run() throws(SystemError) {
    runHooks()
    while !isStopping { try turn(milliseconds: -1) }
    isStopping = false
  }

  /// Makes ``run()`` return; called before it, it returns without waiting.
  public func stop() {
    isStopping = true
    requestTurn()
  }

  /// Takes one turn, waiting no longer than `timeout` (rounded up to milliseconds; nil: for ever).
  ///
  /// - Returns: Whether anything was ready or a turn was requested.
  @discardableResult
  public func runOnce(timeout: Duration?) throws(SystemError) -> Bool {
    runHooks()
    guard let timeout else { return try turn(milliseconds: -1) }
    let nanoseconds = max(timeout.saturatedNanoseconds, 0)
    let milliseconds = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1)
    return try turn(milliseconds: CInt(clamping: milliseconds))
  }

  func updateInterest(of watch: Watch) {
    guard isWatching(watch) else { return }
    // Fails only for a descriptor closed by its owner, of which there is nothing to hear any more.
    try? epoll.modify(
      watch.descriptor,
      identifier: watch.identifier,
      interest: watch.interest
    )
  }

  func isWatching(_ watch: Watch) -> Bool {
    watches[watch.identifier] != nil
  }

  func forget(_ watch: Watch) {
    guard watches.remove(watch.identifier) != nil else { return }
    try? epoll.remove(watch.descriptor)
  }

  func remove(_ timer: Timer) {
    timers.remove(timer)
  }
}

extension EventLoop {
  private static let timerIdentifier: UInt64 = 0

  @discardableResult
  private func turn(milliseconds: CInt) throws(SystemError) -> Bool {
    precondition(!isInTurn, "a handler must not run the loop that called it")
    isInTurn = true
    defer { isInTurn = false }
    try timerDescriptor.update(earliest: timers.first?.deadline)
    let wasRequested = turnIsRequested
    turnIsRequested = false
    let count = try epoll.wait(milliseconds: wasRequested ? 0 : milliseconds)
    wakeUpCount += 1
    for index in 0..<count { dispatch(epoll.event(at: index)) }
    if timersAreDue { fireTimers() }
    runHooks()
    return count > 0 || wasRequested
  }

  private func dispatch(_ event: (identifier: UInt64, readiness: Readiness)) {
    guard event.identifier != Self.timerIdentifier else {
      timerDescriptor.didExpire()
      timersAreDue = true
      return
    }
    // Gone, or no longer interested, since the events were fetched.
    guard let watch = watches[event.identifier] else { return }
    let readiness = event.readiness.intersection(watch.interest.union([.hangUp, .error]))
    if !readiness.isEmpty { watch.handler(readiness) }
  }

  private func fireTimers() {
    timersAreDue = false
    let now = Instant.now()
    // A timer scheduled by an action waits for the next turn, or two of them could keep the loop.
    let limit = nextIdentifier
    while let timer = timers.first, timer.deadline <= now, timer.sequence < limit {
      timers.remove(timer)
      timer.fire()
    }
  }

  private func runHooks() {
    var index = 0
    var hasCancelled = false
    while index < hooks.count {
      if let action = hooks[index].action { action() } else { hasCancelled = true }
      index += 1
    }
    if hasCancelled { hooks.removeAll { !$0.isActive } }
  }
}

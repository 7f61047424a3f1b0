// SPDX-License-Identifier: MIT

/// Waits for descriptors, timers and signals in one place, on one thread (`epoll(7)`).
///
/// A *turn* waits, calls the handlers of descriptors that are ready, fires the timers that are due,
/// and runs the hooks of ``onTurnEnd(_:)``. Handlers may add and cancel watches and timers and close
/// descriptors at will: an event already fetched for a watch that is gone is dropped. An idle loop
/// sleeps and is not woken.
public final class EventLoop {
  private var epoll: EpollSet
  private var timerDescriptor: TimerDescriptor
  private var timers = TimerQueue()
  private var timersAreDue = false
  private var watches: [UInt64: Watch] = [:]
  private var hooks: [TurnHook] = []
  private var nextIdentifier: UInt64 = 1
  private var turnIsRequested = false
  private var isStopping = false
  private var isInTurn = false

  /// How many waits have returned; an idle loop adds none.
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
  /// Level-triggered: what is left unread is reported again. A descriptor has at most one watch.
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
    // The kernel accepted the number again, so an earlier watch's descriptor was closed under it.
    if let stale = watches.values.first(where: { $0.descriptor == descriptor }) {
      watches[stale.identifier] = nil
    }
    watches[watch.identifier] = watch
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

  fileprivate func updateInterest(of watch: Watch) {
    guard isWatching(watch) else { return }
    // Fails only for a descriptor that its owner has closed.
    try? epoll.modify(
      watch.descriptor,
      identifier: watch.identifier,
      interest: watch.interest
    )
  }

  fileprivate func isWatching(_ watch: Watch) -> Bool {
    watches[watch.identifier] != nil
  }

  fileprivate func forget(_ watch: Watch) {
    guard watches.removeValue(forKey: watch.identifier) != nil else { return }
    try? epoll.remove(watch.descriptor)
  }

  func remove(_ timer: Timer) {
    timers.remove(timer)
  }

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

/// A descriptor an ``EventLoop`` watches, and the handler it calls when that is ready.
///
/// The loop keeps the watch until ``cancel()``, so this object need not be kept. Cancel before closing
/// the descriptor.
public final class Watch {
  /// The descriptor, which belongs to whoever asked for the watch.
  public let descriptor: CInt

  fileprivate let identifier: UInt64
  fileprivate let handler: (Readiness) -> Void
  private weak var loop: EventLoop?

  init(
    descriptor: CInt,
    identifier: UInt64,
    interest: Readiness,
    loop: EventLoop,
    handler: @escaping (Readiness) -> Void
  ) {
    self.descriptor = descriptor
    self.identifier = identifier
    self.interest = interest
    self.loop = loop
    self.handler = handler
  }

  /// What the handler is called for.
  ///
  /// The empty set is legal: hang-ups and errors are reported all the same.
  public var interest: Readiness {
    didSet {
      guard interest != oldValue else { return }
      loop?.updateInterest(of: self)
    }
  }

  /// Whether the loop still watches.
  public var isActive: Bool {
    loop?.isWatching(self) ?? false
  }

  /// Ends the watch: the handler is not called again, not even for events already fetched.
  public func cancel() {
    loop?.forget(self)
  }
}

/// Something an ``EventLoop`` does at the end of each turn, until it is cancelled.
public final class TurnHook {
  fileprivate private(set) var action: (() -> Void)?

  fileprivate init(action: @escaping () -> Void) {
    self.action = action
  }

  /// Whether the hook will run again.
  public var isActive: Bool { action != nil }

  /// Stops the hook: its action is not called again.
  public func cancel() {
    action = nil
  }
}

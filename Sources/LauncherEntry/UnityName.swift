// SPDX-License-Identifier: MIT
internal import DBus
public import EventLoop

/// Owns `com.canonical.Unity` on a connection as `UnityNamePolicy` decides.
final class UnityName {
  private let connection: Connection
  private let loop: EventLoop
  private var policy: UnityNamePolicy
  private var timer: Timer?
  private let isOwn: (String) -> Bool
  private let resend: () -> Void
  private let log: (String) -> Void

  /// The name on `connection`; `isOwn` recognises our connections, `resend` publishes everything.
  init(
    on connection: Connection,
    loop: EventLoop,
    isOwning: Bool,
    isOwn: @escaping (String) -> Bool,
    resend: @escaping () -> Void,
    log: @escaping (String) -> Void
  ) {
    self.connection = connection
    self.loop = loop
    self.isOwn = isOwn
    self.resend = resend
    self.log = log
    policy = UnityNamePolicy(isOwning: isOwning)
  }

  /// Passes an event to the policy and performs the effects.
  func handle(_ event: UnityNamePolicy.Event) {
    let effects = policy.handle(event, now: .now())
    setTimer()
    for effect in effects { perform(effect) }
  }

  private func setTimer() {
    let next = policy.nextWake
    guard timer?.deadline != next || timer?.isScheduled != true else { return }
    timer?.cancel()
    timer = next.map { loop.schedule(at: $0) { [weak self] in self?.handle(.wake) } }
  }

  private func perform(_ effect: UnityNamePolicy.Effect) {
    switch effect {
    case .request(let replacing): request(replacing: replacing)
    case .listQueue: listQueue()
    case .giveWay:
      connection.releaseName(LauncherNames.unity) { _ in }
      request(replacing: false)
    case .resend: resend()
    }
  }

  private func request(replacing: Bool) {
    let flags: RequestNameFlags = replacing ? [.replaceExisting] : []
    connection.requestName(LauncherNames.unity, flags: flags.union(.allowReplacement)) {
      [weak self] result in
      guard case .failure(let error) = result else { return }
      self?.log("can't own com.canonical.Unity: '\(error.message)'")
      self?.handle(.refused)
    }
  }

  private func listQueue() {
    connection.queuedOwners(of: LauncherNames.unity) { [weak self] result in
      guard let self, let names = try? result.get() else { return }
      handle(.queue(names.map(\.rawValue).filter { !isOwn($0) }))
    }
  }
}

/// Decides when to own `com.canonical.Unity`, when to give it to a dock, and when to publish
/// everything to docks again.
///
/// libunity's apps announce only while that name has an owner, and announce everything to each new
/// owner. So it is requested at the start, and owned whenever no dock wants it. A dock that requests
/// it meanwhile is queued without a signal: only `ListQueuedOwners` shows it. The name is released to
/// such a dock and requested again behind it, so it returns when the dock ends. A dock that replaces
/// the owner keeps it.
///
/// A value: events go in, effects come out.
public struct UnityNamePolicy: Sendable {
  /// What happened.
  public enum Event: Hashable, Sendable {
    /// The connection is ready, under this unique name.
    case started(String)
    /// The bus refused the request for the name.
    case refused
    /// The name has another owner, or none.
    case ownerChanged(String?)
    /// A connection that is not one of ours was made.
    case connectionAppeared
    /// A dock appeared that may never request the name.
    case dockAppeared
    /// An update to docks is about to be sent.
    case dockUpdate
    /// The names in the queue, the owner's among them.
    case queue([String])
    /// `nextWake` is due.
    case wake
  }

  /// What to do.
  public enum Effect: Hashable, Sendable {
    /// Request the name, replacing its owner or not, and allow replacement.
    case request(replacing: Bool)
    /// Call `ListQueuedOwners`.
    case listQueue
    /// Release the name, which gives it to the next in the queue, and queue again.
    case giveWay
    /// Publish everything to docks again.
    case resend
  }

  /// The well-known name.
  public static let name = "com.canonical.Unity"

  /// How long after a new connection to check the queue.
  static let checkDelays: [Duration] = [.milliseconds(100), .milliseconds(500), .seconds(3)]

  /// How many times its delay a check can be postponed by further connections.
  private static let patience = 10

  /// How long after a dock appears to publish everything again: some are ready late.
  static let resends: [Duration] = [.seconds(1), .seconds(5), .seconds(15)]

  /// The same after the start.
  static let startResend = Duration.seconds(3)

  /// The least time between two checks caused by updates to docks.
  static let updateCheckInterval = Duration.seconds(10)

  /// A debounced check of the queue.
  private struct Check {
    let delay: Duration
    /// When the delay will have passed without another connection.
    var quiet: Instant?
    /// When to check regardless.
    var latest: Instant?

    var due: Instant? { quiet.flatMap { quiet in latest.map { min(quiet, $0) } } }

    func isDue(now: Instant) -> Bool { due.map { $0 <= now } ?? false }

    mutating func postpone(now: Instant) {
      quiet = now + delay
      latest = latest ?? now + delay * patience
    }

    mutating func take(now: Instant) {
      latest = now + delay * patience
      if let last = quiet, last <= now { cancel() }
    }

    mutating func cancel() {
      quiet = nil
      latest = nil
    }
  }

  private var isOwning: Bool
  private var ownName: String?
  private var owner: String?
  private var pendingChecks = checkDelays.map { Check(delay: $0) }
  private var pendingResends: [Instant] = []
  private var lastCheck: Instant?

  /// A policy that owns the name, or leaves it alone unless `isOwning`.
  public init(isOwning: Bool) {
    self.isOwning = isOwning
  }

  /// Whether this process owns the name.
  public var isOwner: Bool { owner != nil && owner == ownName }

  /// When to send `wake`; nil for never.
  public var nextWake: Instant? {
    (pendingChecks.compactMap(\.due) + pendingResends).min()
  }

  /// Handles an event and returns what to do.
  public mutating func handle(_ event: Event, now: Instant) -> [Effect] {
    switch event {
    case .started(let name):
      ownName = name
      // Docks that start with the session appear in any order, and one may still show the badges of
      // a replaced daemon.
      pendingResends = [now + Self.startResend]
      return isOwning ? [.request(replacing: true)] : []
    case .refused:
      isOwning = false
      cancelChecks()
      return []
    case .ownerChanged(let newOwner):
      return ownerChanged(to: newOwner, now: now)
    case .connectionAppeared:
      if isOwner { postponeChecks(now: now) }
      return []
    case .dockAppeared:
      return scheduleResends(now: now)
    case .dockUpdate:
      guard isOwner, lastCheck.map({ $0 + Self.updateCheckInterval <= now }) ?? true else {
        return []
      }
      return check(now: now)
    case .queue(let names):
      guard isOwner, names.contains(where: { $0 != ownName }) else { return [] }
      cancelChecks()
      return [.giveWay]
    case .wake:
      return wake(now: now)
    }
  }

  private mutating func ownerChanged(to newOwner: String?, now: Instant) -> [Effect] {
    owner = newOwner
    guard newOwner != nil else { return isOwning ? [.request(replacing: false)] : [] }
    guard isOwner else {
      cancelChecks()
      return scheduleResends(now: now)
    }
    // Others may have queued meanwhile.
    postponeChecks(now: now)
    return []
  }

  private mutating func wake(now: Instant) -> [Effect] {
    var effects: [Effect] = []
    if pendingChecks.contains(where: { $0.isDue(now: now) }) {
      for index in pendingChecks.indices where pendingChecks[index].isDue(now: now) {
        pendingChecks[index].take(now: now)
      }
      effects += check(now: now)
    }
    if pendingResends.contains(where: { $0 <= now }) {
      pendingResends.removeAll { $0 <= now }
      effects.append(.resend)
    }
    return effects
  }

  private mutating func check(now: Instant) -> [Effect] {
    lastCheck = now
    return [.listQueue]
  }

  /// Postpones each check until no connection appears for its delay, within bounds.
  private mutating func postponeChecks(now: Instant) {
    for index in pendingChecks.indices { pendingChecks[index].postpone(now: now) }
  }

  private mutating func cancelChecks() {
    for index in pendingChecks.indices { pendingChecks[index].cancel() }
  }

  private mutating func scheduleResends(now: Instant) -> [Effect] {
    pendingResends = Self.resends.map { now + $0 }
    return [.resend]
  }
}

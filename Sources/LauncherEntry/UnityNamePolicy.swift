// SPDX-License-Identifier: MIT
public import EventLoop

/// When to own `com.canonical.Unity`, when to let a dock have it, and when docks are to be told
/// everything anew.
///
/// libunity's apps speak only while somebody owns that name, and tell each new owner everything. So
/// it is taken once at the start, and owned whenever nobody else wants it. A dock that asks for it
/// while it is owned is queued, and nobody is told: only `ListQueuedOwners` shows it. The name is
/// handed to such a dock, and comes back by itself when the dock leaves, since whoever hands it over
/// queues behind. A dock that replaces the owner is let be.
///
/// A value: events go in, effects come out.
public struct UnityNamePolicy: Sendable {
  /// What happened.
  public enum Event: Hashable, Sendable {
    /// The connection is ready, under this unique name.
    case started(String)
    /// The bus refused to give the name to us.
    case refused
    /// The name has another owner, or none.
    case ownerChanged(String?)
    /// A connection that is not one of ours has come to the bus.
    case connectionAppeared
    /// A dock that may never ask for the name has come to the bus.
    case dockAppeared
    /// Something is about to be sent to docks.
    case outwardUpdate
    /// The names in the queue, the owner's among them.
    case queue([String])
    /// The time given by `nextWake` has come.
    case wake
  }

  /// What to do.
  public enum Effect: Hashable, Sendable {
    /// Ask for the name, replacing its owner or not, and letting others replace us.
    case request(replacing: Bool)
    /// Ask who waits for the name.
    case listQueue
    /// Release the name, which hands it to the next in the queue, and queue behind.
    case giveWay
    /// Tell docks the whole state.
    case resend
  }

  /// The name that all this is about.
  public static let name = "com.canonical.Unity"

  /// How long after a new connection the queue is looked at.
  static let looks: [Duration] = [.milliseconds(100), .milliseconds(500), .seconds(3)]

  /// How many times its delay a look can be put off by further connections.
  private static let patience = 10

  /// How long after a dock came docks are told everything again: some get ready late.
  static let resends: [Duration] = [.seconds(1), .seconds(5), .seconds(15)]

  /// How long after the start they are.
  static let startResend = Duration.seconds(3)

  /// The least time between two looks for the sake of outward updates.
  static let outwardInterval = Duration.seconds(10)

  private struct Look {
    let delay: Duration
    /// When things have been quiet for the delay.
    var quiet: Instant?
    /// When to look though they are not.
    var latest: Instant?

    var due: Instant? { quiet.flatMap { quiet in latest.map { min(quiet, $0) } } }

    func isDue(now: Instant) -> Bool { due.map { $0 <= now } ?? false }

    mutating func putOff(now: Instant) {
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
  private var pendingLooks = looks.map { Look(delay: $0) }
  private var pendingResends: [Instant] = []
  private var lastLook: Instant?

  /// A policy that owns the name or, unless `isOwning`, leaves it alone.
  public init(isOwning: Bool) {
    self.isOwning = isOwning
  }

  /// Whether the name is ours now.
  public var isOwner: Bool { owner != nil && owner == ownName }

  /// When `wake` is to come, if at all.
  public var nextWake: Instant? {
    (pendingLooks.compactMap(\.due) + pendingResends).min()
  }

  /// Takes an event, and says what to do.
  public mutating func handle(_ event: Event, now: Instant) -> [Effect] {
    switch event {
    case .started(let name):
      ownName = name
      // Docks that start with the session come in any order, and one may still hold the words of a
      // daemon that was replaced.
      pendingResends = [now + Self.startResend]
      return isOwning ? [.request(replacing: true)] : []
    case .refused:
      isOwning = false
      cancelLooks()
      return []
    case .ownerChanged(let newOwner):
      return ownerChanged(to: newOwner, now: now)
    case .connectionAppeared:
      if isOwner { postponeLooks(now: now) }
      return []
    case .dockAppeared:
      return scheduleResends(now: now)
    case .outwardUpdate:
      guard isOwner, lastLook.map({ $0 + Self.outwardInterval <= now }) ?? true else { return [] }
      return look(now: now)
    case .queue(let names):
      guard isOwner, names.contains(where: { $0 != ownName }) else { return [] }
      cancelLooks()
      return [.giveWay]
    case .wake:
      return wake(now: now)
    }
  }

  private mutating func ownerChanged(to newOwner: String?, now: Instant) -> [Effect] {
    owner = newOwner
    guard newOwner != nil else { return isOwning ? [.request(replacing: false)] : [] }
    guard isOwner else {
      cancelLooks()
      return scheduleResends(now: now)
    }
    // Others may have queued while it was not ours.
    postponeLooks(now: now)
    return []
  }

  private mutating func wake(now: Instant) -> [Effect] {
    var effects: [Effect] = []
    if pendingLooks.contains(where: { $0.isDue(now: now) }) {
      for index in pendingLooks.indices where pendingLooks[index].isDue(now: now) {
        pendingLooks[index].take(now: now)
      }
      effects += look(now: now)
    }
    if pendingResends.contains(where: { $0 <= now }) {
      pendingResends.removeAll { $0 <= now }
      effects.append(.resend)
    }
    return effects
  }

  private mutating func look(now: Instant) -> [Effect] {
    lastLook = now
    return [.listQueue]
  }

  /// Puts each look off until things have been quiet for its delay, but not for ever.
  private mutating func postponeLooks(now: Instant) {
    for index in pendingLooks.indices { pendingLooks[index].putOff(now: now) }
  }

  private mutating func cancelLooks() {
    for index in pendingLooks.indices { pendingLooks[index].cancel() }
  }

  private mutating func scheduleResends(now: Instant) -> [Effect] {
    pendingResends = Self.resends.map { now + $0 }
    return [.resend]
  }
}

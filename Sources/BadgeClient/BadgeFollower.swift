// SPDX-License-Identifier: MIT
import BadgeBus
package import BadgeCore
import DBus
package import EventLoop

/// Follows badges on an event loop, across restarts of the daemon.
///
/// It subscribes first, then reads the state, then applies the signals in the order of their
/// revisions. After a gap, or when the daemon's name has a new owner, it reads the state again.
package final class BadgeFollower {
  /// The badges that are followed; out of date while the daemon is away.
  package private(set) var badges: [BadgeID: BadgeState] = [:]

  private enum State {
    /// List was called; its reply will include the signals that arrive until then.
    case listing
    case following(owner: BusName, revision: UInt64)
    case away
    case ended
  }

  /// With more ids than this, one match rule covers all badges and the follower filters.
  private static let rulesLimit = 16
  /// How long to wait before calling List again after a running daemon refused.
  private static let retryDelay: Duration = .seconds(5)

  private let client: BadgeClient
  private let loop: EventLoop
  private let ids: Set<BadgeID>?
  private let handler: (BadgeEvent) -> Void
  private var state = State.listing
  private var isAwayTold = false
  private var subscriptions: [Subscription] = []
  private var request: PendingCall?
  private var retry: Timer?

  /// Starts to follow all badges, or those with the given ids.
  ///
  /// D-Bus may start the daemon for it. The client must be attached to the loop. The handler may cancel the follower.
  ///
  /// - Throws: ``ClientError`` if the bus refuses the match rules.
  package init(
    _ client: BadgeClient,
    ids: [BadgeID]? = nil,
    on loop: EventLoop,
    handler: @escaping (BadgeEvent) -> Void
  ) throws(ClientError) {
    self.client = client
    self.loop = loop
    self.ids = ids.map { Set($0) }
    self.handler = handler
    do {
      try subscribe()
    } catch {
      throw ClientError(error)
    }
    client.connection.onDisconnected = { [weak self] in self?.end(with: .disconnected) }
    list(autoStart: true)
  }

  /// Stops following; the handler is not called again.
  package func cancel() {
    end(with: nil)
  }

  private func subscribe() throws(BusError) {
    let connection = client.connection
    subscriptions.append(
      try connection.subscribe(
        MatchRule(
          type: .signal,
          sender: .bus,
          interface: .bus,
          member: .nameOwnerChanged,
          arguments: [0: BadgeNames.service.rawValue]
        )
      ) { [weak self] in self?.ownerChanged($0) }
    )
    for member in [BadgeNames.changed, BadgeNames.removed] {
      for rule in rules(for: member) {
        subscriptions.append(try connection.subscribe(rule) { [weak self] in self?.signalled($0) })
      }
    }
  }

  private func rules(for member: MemberName) -> [MatchRule] {
    let all = MatchRule.signal(
      member,
      of: BadgeNames.interface,
      from: BadgeNames.manager,
      sender: BadgeNames.service
    )
    guard let ids, ids.count <= Self.rulesLimit else { return [all] }
    return ids.map { id in
      var rule = all
      rule.arguments = [0: id.rawValue]
      return rule
    }
  }

  private func end(with event: BadgeEvent?) {
    if case .ended = state { return }
    state = .ended
    request?.cancel()
    retry?.cancel()
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    if let event { handler(event) }
  }

  // MARK: Owner of the daemon's name

  private func ownerChanged(_ message: Message) {
    var reader = message.makeReader()
    guard (try? reader.readString()) == BadgeNames.service.rawValue,
      (try? reader.readString()) != nil, let owner = try? reader.readString()
    else { return }
    if owner.isEmpty { leave() } else { list(autoStart: false) }
  }

  private func leave() {
    if case .ended = state { return }
    request?.cancel()
    request = nil
    state = .away
    guard !isAwayTold else { return }
    isAwayTold = true
    handler(.away)
  }

  private func list(autoStart: Bool) {
    if case .ended = state { return }
    request?.cancel()
    retry?.cancel()
    state = .listing
    let call = MethodCall(
      destination: BadgeNames.service,
      path: BadgeNames.manager,
      interface: BadgeNames.interface,
      member: MemberName(constant: BadgeNames.Method.list),
      autoStart: autoStart
    )
    do {
      request = try client.connection.call(call, timeout: client.timeout, { _ in }) {
        [weak self] in self?.listed($0)
      }
    } catch {
      leave()
    }
  }

  private func listed(_ result: Result<Message, BusError>) {
    request = nil
    guard case .listing = state else { return }
    guard let message = try? result.get(), let owner = message.sender, var list = read(message)
    else {
      leave()
      if case .failure(let error) = result, ClientError.meansNoOwner(error) { return }
      // The name has an owner, so no NameOwnerChanged will follow: try again later.
      retry = loop.schedule(after: Self.retryDelay) { [weak self] in
        if case .away = self?.state { self?.list(autoStart: false) }
      }
      return
    }
    if let ids { list.badges.removeAll { !ids.contains($0.id) } }
    badges = Dictionary(list.badges.map { ($0.id, $0) }) { $1 }
    state = .following(owner: owner, revision: list.revision)
    isAwayTold = false
    handler(.snapshot(list))
  }

  private func read(_ message: Message) -> BadgeSnapshot? {
    var reader = message.makeReader()
    return try? BadgeSnapshot(&reader)
  }

  // MARK: Signals

  private func signalled(_ message: Message) {
    guard case .following(let owner, let revision) = state, message.hasSender(owner) else { return }
    do {
      var reader = message.makeReader()
      let id = try BadgeID(try reader.readString())
      if message.hasMember(BadgeNames.changed) {
        try change(id, &reader, after: revision, of: owner)
      } else {
        try remove(id, &reader, after: revision, of: owner)
      }
    } catch {
      // An unreadable signal counts as a missed one.
      list(autoStart: false)
    }
  }

  private func change(
    _ id: BadgeID,
    _ reader: inout MessageReader,
    after last: UInt64,
    of owner: BusName
  ) throws(BusError) {
    var badge = badges[id] ?? BadgeState(id: id)
    try badge.apply(&reader)
    let animation = try BadgeAnimation(&reader)
    let revision = try reader.readUInt64()
    guard advance(to: revision, after: last, of: owner) else { return }
    guard ids?.contains(id) ?? true else { return }
    guard badge.isComplete else { return list(autoStart: false) }
    badges[id] = badge
    handler(.changed(badge, animation, revision: revision))
  }

  private func remove(
    _ id: BadgeID,
    _ reader: inout MessageReader,
    after last: UInt64,
    of owner: BusName
  ) throws(BusError) {
    let reason = try reader.readString()
    let animation = try BadgeAnimation(&reader)
    let revision = try reader.readUInt64()
    guard advance(to: revision, after: last, of: owner) else { return }
    guard ids?.contains(id) ?? true else { return }
    badges[id] = nil
    handler(.removed(id, reason: reason, animation, revision: revision))
  }

  /// Whether the signal with this revision is the next one to apply.
  private func advance(to revision: UInt64, after last: UInt64, of owner: BusName) -> Bool {
    guard revision > last else { return false }
    let isFiltered = ids.map { $0.count <= Self.rulesLimit } ?? false
    guard isFiltered || revision == last + 1 else {
      list(autoStart: false)
      return false
    }
    state = .following(owner: owner, revision: revision)
    return true
  }
}

extension InterfaceName {
  fileprivate static var bus: InterfaceName { InterfaceName(constant: "org.freedesktop.DBus") }
}

extension MemberName {
  fileprivate static var nameOwnerChanged: MemberName { MemberName(constant: "NameOwnerChanged") }
}

// SPDX-License-Identifier: MIT
public import BadgeCore
import DBus
import EventLoop

/// A change of the badges that are followed.
public enum BadgeEvent: Hashable, Sendable {
  /// The whole state: first of all, after the daemon came back, and after a signal was missed. Badges
  /// that are not in it do not exist.
  case snapshot(BadgeSnapshot)
  /// A badge is new or has changed.
  case changed(BadgeState, BadgeAnimation, revision: UInt64)
  /// A badge is gone. The reason is a `RemovalReason`, or one that only a newer daemon knows.
  case removed(BadgeID, reason: String, BadgeAnimation, revision: UInt64)
  /// The daemon is not running. A snapshot follows once it is.
  case away
  /// The connection to the bus is lost. This is the last event.
  case disconnected
}

/// The changes of badges, in order, across restarts of the daemon.
///
/// Iterating blocks until the next event:
///
/// ```swift
/// for event in try BadgeClient().events(of: ["mail"]) {
///   switch event {
///   case .snapshot(let list): print("mail:", list.badges.first?.label ?? "")
///   case .changed(let badge, let animation, _): print("mail:", badge.label, animation.name)
///   case .removed, .away: print("mail:")
///   case .disconnected: print("the session is over")
///   }
/// }
/// ```
///
/// A program with an event loop of its own polls ``fileDescriptor`` and calls ``dispatch()`` whenever
/// that is readable.
public final class BadgeEvents: Sequence, IteratorProtocol {
  private let loop: EventLoop
  private let follower: BadgeFollower
  private let queue: Queue

  private final class Queue {
    var events: [BadgeEvent] = []
  }

  fileprivate init(_ client: BadgeClient, ids: [BadgeID]?) throws(ClientError) {
    let queue = Queue()
    do {
      loop = try EventLoop()
    } catch {
      throw .noBus(address: "", reason: error.description)
    }
    try client.attach(to: loop)
    follower = try BadgeFollower(client, ids: ids, on: loop) { queue.events.append($0) }
    self.queue = queue
  }

  deinit { follower.cancel() }

  /// A descriptor that becomes readable when ``dispatch()`` has work to do; only poll it.
  public var fileDescriptor: CInt { loop.fileDescriptor }

  /// Whether the connection to the bus is lost and every event has been returned.
  public private(set) var hasEnded = false

  /// Handles what has arrived, without waiting, and returns the events.
  ///
  /// Call it once before the first wait for ``fileDescriptor``, and after other requests of the same
  /// client: they may have received events too.
  public func dispatch() -> [BadgeEvent] {
    while turn(timeout: .zero) {}
    defer { queue.events = [] }
    hasEnded = hasEnded || queue.events.last == .disconnected
    return queue.events
  }

  /// Waits for the next event; nil once the connection to the bus is lost.
  public func next() -> BadgeEvent? { next(before: nil) }

  /// Waits for the next event; nil after the timeout, or once ``hasEnded`` is true.
  public func next(timeout: Duration) -> BadgeEvent? { next(before: .now() + timeout) }

  private func next(before deadline: Instant?) -> BadgeEvent? {
    while queue.events.isEmpty {
      if hasEnded { return nil }
      let remaining = deadline.map { Swift.max(.zero, $0 - .now()) }
      _ = turn(timeout: remaining)
      if remaining == .zero { break }
    }
    guard !queue.events.isEmpty else { return nil }
    let event = queue.events.removeFirst()
    if event == .disconnected { hasEnded = true }
    return event
  }

  /// Returns whether there was anything to do.
  private func turn(timeout: Duration?) -> Bool {
    do {
      return try loop.runOnce(timeout: timeout)
    } catch {
      if !hasEnded { queue.events.append(.disconnected) }
      return false
    }
  }
}

extension BadgeClient {
  /// Follows all badges, or those with the given ids.
  ///
  /// Call it once for a client.
  ///
  /// - Throws: ``ClientError`` if the bus refuses, or an id is not valid.
  public func events(of ids: [String]? = nil) throws(ClientError) -> BadgeEvents {
    var badgeIDs: [BadgeID]?
    if let ids {
      badgeIDs = []
      for id in ids {
        do {
          badgeIDs?.append(try BadgeID(id))
        } catch {
          throw ClientError(.invalidArguments(error.message))
        }
      }
    }
    return try BadgeEvents(self, ids: badgeIDs)
  }
}

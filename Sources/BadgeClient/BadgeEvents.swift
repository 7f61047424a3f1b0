// SPDX-License-Identifier: MIT
import BadgeCore
import DBus
import EventLoop

/// The changes of badges, one after another: iterating waits for the next, and survives restarts of
/// the daemon.
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
public struct BadgeEvents: Sequence, IteratorProtocol {
  private let loop: EventLoop
  private let follower: BadgeFollower
  private let queue: Queue

  private final class Queue {
    var events: [BadgeEvent] = []
    var hasEnded = false
  }

  init(_ client: BadgeClient, ids: [BadgeID]?) throws(ClientError) {
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

  /// Waits for what happens next; nil once the bus is gone.
  public mutating func next() -> BadgeEvent? {
    while queue.events.isEmpty {
      if queue.hasEnded { return nil }
      do {
        _ = try loop.runOnce(timeout: nil)
      } catch {
        queue.hasEnded = true
      }
    }
    let event = queue.events.removeFirst()
    if event == .disconnected { queue.hasEnded = true }
    return event
  }
}

extension BadgeClient {
  /// Follows badges, all of them or those of the given ids.
  ///
  /// The client must not be attached to a loop of your own: it gets one that runs while the events
  /// are iterated over.
  ///
  /// - Throws: ``ClientError`` where the bus does not take the subscriptions, or an id is none.
  public func events(of ids: [String]? = nil) throws(ClientError) -> BadgeEvents {
    var badgeIDs: [BadgeID]?
    if let ids {
      badgeIDs = []
      for id in ids {
        do {
          badgeIDs?.append(try BadgeID(id))
        } catch {
          throw .refused(.invalidArguments(error.message))
        }
      }
    }
    return try BadgeEvents(self, ids: badgeIDs)
  }
}

// SPDX-License-Identifier: MIT
internal import EventLoop

/// The properties of the manager that change, together.
struct ManagerState: Equatable {
  var total: Int64
  var visible: Int
  var animations: Bool
  var animating: Bool
  var quiet: Bool
  var quietUntil: UInt64
  var durable: Bool

  /// The names of the properties that differ.
  func changes(from old: ManagerState) -> [String] {
    var names: [String] = []
    if total != old.total { names.append("Total") }
    if visible != old.visible { names.append("Visible") }
    if animations != old.animations { names.append("Animations") }
    if animating != old.animating { names.append("Animating") }
    if quiet != old.quiet { names.append("Quiet") }
    if quietUntil != old.quietUntil { names.append("QuietUntil") }
    if durable != old.durable { names.append("Durable") }
    return names
  }
}

/// Decides when the manager's PropertiesChanged goes: from the first Properties call on it, at most
/// once a frame, and of what changed only.
struct ManagerSignals {
  private var announced: ManagerState?
  private var sentAt = Int64.min / 2

  /// Whether somebody asked for the properties.
  var isFollowed: Bool { announced != nil }

  /// Notes that somebody asks for the properties, which are these.
  mutating func follow(_ state: ManagerState) {
    if announced == nil { announced = state }
  }

  /// Sends what changed by `send`, if it is time to.
  ///
  /// - Returns: When to come again, where something waits.
  mutating func publish(
    _ state: ManagerState,
    at now: Instant,
    send: ([String]) -> Void
  ) -> Instant? {
    guard let announced, announced != state else { return nil }
    let due = sentAt + ServiceLimits.frame
    guard due <= now.nanoseconds else { return Instant(nanoseconds: due) }
    sentAt = now.nanoseconds
    self.announced = state
    send(state.changes(from: announced))
    return nil
  }
}

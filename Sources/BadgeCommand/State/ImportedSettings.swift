// SPDX-License-Identifier: MIT
import BadgeClient
import Glibc

/// The settings of a state document; one that is left out stays as it is.
struct ImportedSettings: Equatable {
  private var animations: Bool?
  private var quiet: Bool?
  private var quietUntil: UInt64?

  /// Changes nothing.
  init() {}

  /// The settings as they are now, to be put back.
  init(_ status: ServiceStatus) {
    animations = status.animations
    quiet = status.isQuiet
    quietUntil = status.quietUntil
  }

  /// Takes a member of the document.
  ///
  /// - Returns: Whether it is a setting.
  /// - Throws: ``CommandError`` with status 1, which names the setting.
  mutating func take(_ member: JSONValue.Member) throws(CommandError) -> Bool {
    switch member.name {
    case "animations": animations = try Self.boolean(member)
    case "quiet": quiet = try Self.boolean(member)
    case "quiet-until":
      guard case .integer(let time) = member.value, time >= 0 else {
        throw .wrong("whole seconds since the epoch at 'quiet-until'", member.value)
      }
      quietUntil = UInt64(time)
    default: return false
    }
    return true
  }

  /// Makes sure that the settings do not contradict each other.
  func check() throws(CommandError) {
    guard quiet == false, let quietUntil, quietUntil > 0 else { return }
    throw .failed("'quiet' is false, and 'quiet-until' is not 0", String(quietUntil))
  }

  /// Makes the daemon's settings these.
  func apply(_ client: BadgeClient) throws(ClientError) {
    if let animations { try client.setAnimations(animations) }
    guard let quietUntil, quietUntil > 0 else {
      if let quiet { try client.setQuiet(quiet) }
      return
    }
    // At a time that has passed since the daemon has turned it off, had it been told to wait.
    if quietUntil > UInt64(max(0, time(nil))) {
      try client.setQuiet(until: quietUntil)
    } else {
      try client.setQuiet(false)
    }
  }

  private static func boolean(_ member: JSONValue.Member) throws(CommandError) -> Bool {
    guard case .boolean(let flag) = member.value else {
      throw .wrong("true or false at '\(member.name)'", member.value)
    }
    return flag
  }
}

// SPDX-License-Identifier: MIT
import BadgeBus
import DBus

/// Why a request to the daemon failed.
public enum ClientError: Error, Hashable, Sendable {
  /// The session bus cannot be reached. The address is empty if none is known.
  case noBus(address: String, reason: String)
  /// The daemon is not running and could not be started, or left before it had answered.
  case noDaemon(reason: String)
  /// The daemon is running but did not answer in time.
  case noAnswer(within: Duration)
  /// There is no badge with this id.
  case noSuchBadge(message: String)
  /// The daemon or the bus refused: the name of the D-Bus error, such as
  /// `org.badged.Badges1.Error.InvalidValue`, and its message, which may be empty.
  case refused(name: String, message: String)
  /// The reply does not have the type that the interface promises.
  case unexpectedReply(String)
}

extension ClientError {
  /// Classifies a D-Bus error by what it means for a client of the daemon.
  init(_ error: BusError) {
    if error.name == .noSuchBadge {
      self = .noSuchBadge(message: error.message)
    } else if Self.meansNoOwner(error) || Self.silences.contains(error.name.rawValue) {
      self = .noDaemon(reason: error.message)
    } else {
      self = .refused(name: error.name.rawValue, message: error.message)
    }
  }

  /// Whether nobody owns the daemon's name and D-Bus could not start it.
  static func meansNoOwner(_ error: BusError) -> Bool {
    let name = error.name.rawValue
    return absences.contains(name) || name.utf8.starts(with: spawn.utf8)
  }

  private static let absences = [
    "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    "org.freedesktop.systemd1.NoSuchUnit", "org.freedesktop.systemd1.UnitMasked",
  ]
  private static let silences = [
    "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout",
    "org.freedesktop.DBus.Error.TimedOut", "org.freedesktop.DBus.Error.Disconnected",
  ]
  private static let spawn = "org.freedesktop.DBus.Error.Spawn."
}

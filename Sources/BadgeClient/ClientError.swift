// SPDX-License-Identifier: MIT
import BadgeBus
public import DBus

/// Why a request to the daemon failed.
public enum ClientError: Error, Hashable, Sendable {
  /// There is no session bus: its address, as far as one is known, and what went wrong.
  case noBus(address: String, reason: String)
  /// The daemon does not run and could not be started, or went away before it answered.
  case noDaemon(reason: String)
  /// The daemon is there and did not answer in time.
  case noAnswer(within: Duration)
  /// There is no badge of this id; the daemon's own words.
  case noSuchBadge(message: String)
  /// The daemon, or the bus, refused; the error keeps its name and words.
  case refused(BusError)
  /// What came back is not what the interface promises.
  case unexpectedReply(String)
}

extension ClientError {
  /// Sorts an error of the bus by what it means for a client of the daemon.
  init(_ error: BusError) {
    if error.name == .noSuchBadge {
      self = .noSuchBadge(message: error.message)
    } else if Self.meansNoOwner(error) || Self.silences.contains(error.name.rawValue) {
      self = .noDaemon(reason: error.message)
    } else {
      self = .refused(error)
    }
  }

  /// Whether nobody owns the daemon's name, and nothing could be started for it.
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

// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import DBus
internal import LauncherEntry

/// Every limit of the daemon: the service's own numbers, and the table of all of them, which
/// badged-dbus(5) has too.
package enum ServiceLimits {
  /// Parts of a value in an Update; a source counts for two, its name and its count.
  static let valueParts = 1_024

  /// Log lines a second.
  static let logLines = 40

  /// Log lines a second with `--verbose`.
  static let verboseLogLines = 2_000

  /// The longest message of a log line; with prefix and line feed, a pipe takes it whole.
  static let logLineBytes = 4_000

  /// The least time between two Changed of a badge, in nanoseconds.
  static let frame: Int64 = 16_000_000

  /// How long to wait before a failed commit is retried, in nanoseconds.
  static let commitRetry: Int64 = 2_000_000_000

  /// How long after a commit the file is synced, in nanoseconds.
  static let syncDelay: Int64 = 900_000_000

  /// How many unwritten changes are remembered one by one; beyond that everything is written once
  /// that is possible.
  static let unwrittenChanges = 16_384

  /// What is limited, and to how much, as the manual says it.
  package static let all: [(what: String, bound: String)] = [
    ("native badges", number(Limits.nativeBadges)),
    ("named sources of a badge", number(Limits.sourcesPerBadge)),
    ("named sources of all badges", number(Limits.sources)),
    ("named sources in one call", number(Limits.sourcesPerCall)),
    ("badges announced by apps", number(Limits.announcedBadges)),
    ("of these, by one sender", number(SenderStates.maximumAppsOfSender)),
    (
      "updates of one such sender",
      "\(number(SenderStates.burst)) at once, then \(number(SenderStates.rate)) a second"
    ),
    ("dismissals remembered", number(Limits.dismissals) + ", the oldest forgotten first"),
    ("styles kept without a badge", number(Limits.keptLooks) + ", the oldest forgotten first"),
    ("processes that badges live with", number(Limits.watchedProcesses)),
    ("apps, by sender, that are heard", number(LauncherLimits.pairs)),
    ("name of an app in an update", number(LauncherLimits.uriBytes) + " bytes"),
    ("keys of an update", number(LauncherLimits.keys)),
    ("desktop files looked at", number(LauncherLimits.desktopEntries)),
    ("private connections to docks", number(LauncherBridge.maximumConnections)),
    ("id, name of a source", number(Limits.idBytes) + " bytes"),
    ("text, description", number(Limits.textBytes) + " bytes"),
    ("font, icon", number(Limits.nameBytes) + " bytes"),
    ("messages handled in one turn", number(BusConnection.messagesPerTurn)),
    ("replies of one turn", number(BusConnection.outgoingBytesPerTurn >> 20) + " MiB"),
    ("long replies that wait for a turn", number(ConnectionLimits.waitingCalls)),
    ("of these, to one caller", number(ConnectionLimits.waitingCallsPerCaller)),
    ("messages read ahead", number(ConnectionLimits.receivedBytes >> 20) + " MiB"),
    ("calls of its own without a reply", number(ConnectionLimits.pendingCalls)),
    ("parts of a value in a call", number(valueParts)),
    ("signals of one badge", "one in \(frame / 1_000_000) ms"),
    ("log lines a second", "\(number(logLines)), verbose \(number(verboseLogLines))"),
    ("a log line", "\(number(logLineBytes)) bytes"),
  ]

  /// A number with a comma before its thousands.
  private static func number(_ number: Int) -> String {
    number < 1_000 ? "\(number)" : "\(number / 1_000)," + "\(number % 1_000 + 1_000)".dropFirst()
  }
}

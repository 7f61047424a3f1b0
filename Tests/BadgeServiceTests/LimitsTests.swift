// SPDX-License-Identifier: MIT
import BadgeCore
import DBus
import LauncherEntry
import TestSupport
import Testing

@testable import BadgeService

@Suite struct LimitsTests {
  /// What is limited, and to how much, as the manual says it.
  private static let all: [(what: String, bound: String)] = [
    ("native badges", number(BadgeLimits.nativeBadges)),
    ("named sources of a badge", number(BadgeLimits.sourcesPerBadge)),
    ("named sources of all badges", number(BadgeLimits.sources)),
    ("named sources in one call", number(BadgeLimits.sourcesPerCall)),
    ("badges announced by apps", number(BadgeLimits.announcedBadges)),
    ("of these, by one sender", number(Senders.maximumAppsOfSender)),
    (
      "updates of one such sender",
      "\(number(Senders.burst)) at once, then \(number(Senders.rate)) a second"
    ),
    ("dismissals remembered", number(BadgeLimits.dismissals) + ", the oldest forgotten first"),
    (
      "styles kept without a badge", number(BadgeLimits.keptStyles) + ", the oldest forgotten first"
    ),
    ("processes that badges live with", number(BadgeLimits.watchedProcesses)),
    ("apps, by sender, that are heard", number(LauncherLimits.pairs)),
    ("name of an app in an update", number(LauncherLimits.uriBytes) + " bytes"),
    ("keys of an update", number(LauncherLimits.keys)),
    ("desktop files looked at", number(LauncherLimits.desktopEntries)),
    ("private connections to docks", number(LauncherBridge.maximumConnections)),
    ("id, name of a source", number(BadgeLimits.idBytes) + " bytes"),
    ("text, description", number(BadgeLimits.textBytes) + " bytes"),
    ("font, icon", number(BadgeLimits.nameBytes) + " bytes"),
    ("messages handled in one turn", number(Connection.messagesPerTurn)),
    ("replies of one turn", number(Connection.outgoingBytesPerTurn >> 20) + " MiB"),
    ("long replies that wait for a turn", number(ConnectionLimits.waitingCalls)),
    ("of these, to one caller", number(ConnectionLimits.waitingCallsPerCaller)),
    ("messages read ahead", number(ConnectionLimits.receivedBytes >> 20) + " MiB"),
    ("calls of its own without a reply", number(ConnectionLimits.pendingCalls)),
    ("parts of a value in a call", number(MessageReader.valueParts)),
    ("signals of one badge", "one in \(Publisher.frame / 1_000_000) ms"),
    (
      "log lines a second",
      "\(number(Log.linesPerSecond)), verbose \(number(Log.verboseLinesPerSecond))"
    ),
    ("a log line", "\(number(Log.maximumBytes)) bytes"),
  ]

  /// A number with a comma before its thousands.
  private static func number(_ number: Int) -> String {
    number < 1_000 ? "\(number)" : "\(number / 1_000)," + "\(number % 1_000 + 1_000)".dropFirst()
  }

  /// badged-dbus(5).
  private static func manual() throws -> String {
    let folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    return try #require(contents(ofFile: folder + "/man/badged-dbus.5"))
  }

  @Test func theManualHasEachBoundAndNoOther() throws {
    let manual = try Self.manual()
    let section = try #require(
      manual.split(separator: ".Sh LIMITS\n").last?.split(separator: ".El").first
    )
    let rows = section.split(separator: "\n").filter { $0.hasPrefix(".It ") }
    #expect(rows.map { String($0) } == Self.all.map { ".It \($0.what) Ta \($0.bound)" })
  }
}

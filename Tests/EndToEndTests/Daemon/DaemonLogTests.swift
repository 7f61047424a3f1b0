// SPDX-License-Identifier: MIT
import DBus
import Glibc
import Testing
import TestSupport

/// Neither the log nor a crash reveals a text of a badge, unless `--verbose` asks for it.
@Suite(.privateBus) struct DaemonLogTests {
  private static let secret = "Zebra4711"

  private let bus = PrivateBus.current

  /// Passes the secret wherever a text is accepted or refused.
  private func sendSecrets(_ client: BusClient) throws {
    let secret = Value.string(Self.secret)
    let mail = Value.string("mail")
    try client.call("SetText", mail, secret)
    let texts = ["text", "description", "icon", "font"]
    try client.call("Update", mail, .namedValues(texts.map { ($0, secret) }))
    for key in texts { try client.call("SetProperty", mail, .string(key), .variant(secret)) }
    try client.call("SetSource", mail, secret, .int64(3))
    let refused: [[Value]] = [
      [mail, .string("text"), .variant(.string(Self.secret + "\n"))],
      [mail, .string("description"), .variant(.string(Self.secret + "\u{7F}"))],
      [mail, .string("background"), .variant(secret)], [mail, .string("count"), .variant(secret)],
      [mail, secret, .variant(secret)],
    ]
    for arguments in refused {
      #expect(throws: BusError.self) {
        try client.call("SetProperty", arguments[0], arguments[1], arguments[2])
      }
    }
    #expect(throws: BusError.self) { try client.call(Self.secret, mail) }
    try say(client, "application://chat.desktop", [("count", secret), ("quicklist", secret)])
    try say(client, Self.secret + "/", [("count", .int64(1))])
    try say(client, Self.secret + "\n", [("count", .int64(1))])
    try client.call("Acknowledge", mail)
    try client.call("Dismiss", mail)
    try client.call("SetText", mail, .string(Self.secret + "!"))
  }

  /// Announces a badge as an app does.
  private func say(_ client: BusClient, _ uri: String, _ keys: [(String, Value)]) throws {
    let update = MemberName(constant: "Update")
    let path = ObjectPath(constant: "/com/canonical/unity/launcherentry/1")
    try client.connection.send(signal: update, of: LauncherPeer.interface, from: path) {
      $0.append(uri)
      $0.append(.namedValues(keys))
    }
  }

  @Test("The log holds no text of a badge, whatever is set, refused, lost or damaged")
  func quiet() throws {
    var daemon = try bus.startDaemon()
    try sendSecrets(try BusClient())
    #expect(daemon.terminate() == .success)
    #expect(!daemon.errorOutput.contains(Self.secret), "\(daemon.errorOutput)")

    let damage = """
      import sqlite3, sys
      secret = sys.argv[2]
      rows = [("a", secret, 5), ("b", 1, secret + chr(10)), ("c", 1, 5), ("d", 1, 5), ("e", 1, 5)]
      with sqlite3.connect(sys.argv[1]) as database:
          database.executemany("INSERT INTO badge (id, flags, value) VALUES (?, ?, ?)", rows)
          database.execute("INSERT INTO source (badge, name, count) VALUES ('c', 'x', ?)", [secret])
          database.execute("INSERT INTO style VALUES ('d', ?, '1')", [secret])
          database.execute("INSERT INTO style VALUES ('e', 'background', ?)", [secret + chr(10)])
      """
    let file = bus.statePath + "/badges.db"
    let damaging = try bus.run("python3", ["-c", damage, file, Self.secret])
    #expect(damaging.status == .success, "\(damaging.errorOutput)")
    daemon = try bus.startDaemon()
    for id in ["a", "b", "c", "d", "e"] {
      #expect(daemon.errorOutput.contains("a stored row was left out: badge '\(id)'"))
    }
    // The state directory vanishes while a text is set.
    #expect(
      try bus.run("sh", ["-c", "rm -r \"$1\"; : >\"$1\"", "sh", bus.statePath]).status == .success
    )
    let client = try BusClient()
    try sendSecrets(client)
    try daemon.waitForLine(containing: "changes are kept in memory only", from: .error)
    try sendSecrets(client)
    #expect(try client.property("Durable") == .boolean(false))
    #expect(daemon.terminate() == .success)
    #expect(!daemon.errorOutput.contains(Self.secret), "\(daemon.errorOutput)")
  }

  @Test("With --verbose it does, and says so in its help")
  func verbose() throws {
    let daemon = try bus.startDaemon(["--verbose"])
    try sendSecrets(try BusClient())
    #expect(daemon.terminate() == .success)
    #expect(daemon.errorOutput.contains("changed 'mail': text '\(Self.secret)'"))
  }

  @Test("A crash leaves no core dump, where the shell allows one, and nothing in the log")
  func crash() throws {
    let line = #"cd "$2" && ulimit -c unlimited; exec "$0" --state "$1""#
    let arguments = ["-c", line, try productPath("badged"), bus.statePath, bus.directory.path]
    let daemon = try bus.spawn("/bin/sh", arguments)
    try daemon.waitForLine(containing: "badged: serving", from: .error)
    let limits = contents(ofFile: "/proc/\(daemon.processID)/limits") ?? ""
    let words = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }?
      .split(separator: " ")
    #expect(words?.suffix(3) == ["0", "0", "bytes"], "\(limits)")
    try sendSecrets(try BusClient())
    daemon.send(signal: SIGABRT)
    #expect(try daemon.wait() == .signalled(SIGABRT))
    let lines = daemon.errorOutput.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("badged: ") && !$0.contains(Self.secret) }, "\(lines)")
    #expect(try bus.run("find", [bus.directory.path, "-name", "core*"]).output == "")
  }
}

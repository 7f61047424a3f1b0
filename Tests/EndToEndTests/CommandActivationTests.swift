// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

/// badgectl on a bus that can start the daemon.
@Suite(.processLogs) struct CommandActivationTests {
  /// A bus with an activation file for the daemon, which runs `command`.
  private func bus(starting command: String, in folder: TemporaryDirectory) throws -> PrivateBus {
    try folder.write(
      "[D-BUS Service]\nName=org.badged.Badges1\nExec=\(command)\n",
      to: "org.badged.service"
    )
    return try PrivateBus(serviceDirectories: [folder.path])
  }

  private func daemon(in folder: TemporaryDirectory) throws -> String {
    "\(try productPath("badged")) --no-unity-name --state \(folder.appending("state"))"
  }

  /// Ends the daemon that the bus started.
  private func endDaemon(of bus: PrivateBus) throws {
    let status = try bus.run(productPath("badgectl"), ["status", "--json"]).output
    let digits = try #require(status.firstRange(of: "\"pid\":")?.upperBound)
    let process = try #require(CInt(status[digits...].prefix { $0.isNumber }))
    kill(process, SIGTERM)
  }

  @Test("The first call starts the daemon")
  func startsDaemon() throws {
    let folder = try TemporaryDirectory()
    let bus = try bus(starting: daemon(in: folder), in: folder)
    defer { bus.stop() }
    let set = try bus.run(productPath("badgectl"), ["set", "mail", "3"])
    #expect(set.status == .success, "\(set.errorOutput)")
    #expect(try bus.run(productPath("badgectl"), ["get", "mail"]).output == "3\n")
    try endDaemon(of: bus)
  }

  @Test("A watch starts the daemon once, and not again when it leaves")
  func watchStartsOnce() throws {
    let folder = try TemporaryDirectory()
    let bus = try bus(starting: daemon(in: folder), in: folder)
    defer { bus.stop() }
    let watch = try bus.spawn(productPath("badgectl"), ["watch", "--json", "mail"])
    defer { watch.terminate() }
    #expect(try watch.readLine()?.hasPrefix(#"{"event":"state","id":"mail""#) ?? false)
    try endDaemon(of: bus)
    #expect(try watch.readLine() == #"{"event":"down"}"#)
    #expect(try bus.run(productPath("badgectl"), ["set", "mail", "1"]).status == .success)
    #expect(try watch.waitForLine(containing: #""count":1"#).contains(#""id":"mail""#))
    try endDaemon(of: bus)
  }

  @Test("A daemon that is started and never answers is printed as hidden all the same")
  func watchesHangingStart() throws {
    let folder = try TemporaryDirectory()
    let bus = try bus(starting: "/bin/sleep 60", in: folder)
    defer { bus.stop() }
    let watch = try bus.spawn(productPath("badgectl"), ["watch", "mail"])
    defer { watch.terminate() }
    #expect(try watch.readLine() == "")
  }

  @Test("A daemon that cannot be started is said to be missing, with status 4")
  func reportsFailedStart() throws {
    let folder = try TemporaryDirectory()
    let bus = try bus(starting: "/bin/false", in: folder)
    defer { bus.stop() }
    let run = try bus.run(productPath("badgectl"), ["set", "mail", "3"])
    #expect(run.status == .exited(4))
    #expect(run.errorOutput.hasPrefix("badgectl: no badge daemon: 'org.badged.Badges1'; start"))
  }
}

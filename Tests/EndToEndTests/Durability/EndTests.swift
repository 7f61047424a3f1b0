// SPDX-License-Identifier: MIT
import BadgeClient
import Glibc
import TestSupport
import Testing

/// What ends the daemon and what does not.
@Suite(.privateBus) struct EndTests {
  private let bus = PrivateBus.current

  @Test("When the session bus goes, the daemon writes what it has and ends well")
  func busGoes() throws {
    let state = try TemporaryDirectory()
    let session = try PrivateBus()
    let daemon = try session.spawn(productPath("badged"), ["--state", state.appending("s")])
    try daemon.waitForLine(containing: "badged: serving", from: .error)
    let client = try BadgeClient(address: session.address)
    for number in 1...100 { try client.set("mail", to: Int64(number)) }
    session.stop()
    #expect(try daemon.wait() == .success)
    #expect(daemon.errorOutput.contains("the session bus is gone"))

    let next = try bus.spawn(productPath("badged"), ["--state", state.appending("s")])
    try next.waitForLine(containing: "badged: serving 1 badges", from: .error)
    #expect(try bus.badgectl("get", "mail").output == "100\n")
    #expect(next.terminate() == .success)
  }

  @Test("After an end that was asked for, the file alone holds all, without a log beside it")
  func orderlyEnd() throws {
    for signal in [SIGTERM, SIGINT] {
      let daemon = try bus.startDaemon()
      #expect(try bus.badgectl("inc", "mail").status == .success)
      daemon.send(signal: signal)
      #expect(try daemon.wait() == .success)
      let names = try bus.run("ls", [bus.statePath]).output
      #expect(names == "badges.db\nlock\n")
    }
    let daemon = try bus.startDaemon()
    #expect(try bus.badgectl("get", "mail").output == "2\n")
    #expect(daemon.terminate() == .success)
  }
}

// SPDX-License-Identifier: MIT
import BadgeClient
import Testing

@testable import BadgeCommand

@Suite struct ClientErrorTests {
  @Test("A daemon that hangs is told from one that is not there, with what to do")
  func tellsHanging() {
    let hanging = CommandError(ClientError.noAnswer(within: .seconds(25)))
    #expect(hanging.status == .unreachable)
    #expect(
      hanging.message
        == "the badge daemon did not answer within 25 s: 'org.badged.Badges1'; restart it, with "
        + "'systemctl --user restart badged' where systemd runs it"
    )
    let absent = CommandError(ClientError.noDaemon(reason: "it left"))
    #expect(absent.status == .unreachable)
    #expect(
      absent.message == "no badge daemon: 'org.badged.Badges1'; start 'badged' (it left)"
    )
  }
}

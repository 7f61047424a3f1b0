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
        == "badged did not answer within 25 s; restart it, for example with "
        + "'systemctl --user restart badged'"
    )
    let absent = CommandError(ClientError.noDaemon(reason: "it left"))
    #expect(absent.status == .unreachable)
    #expect(
      absent.message == "badged is not running; start it with 'badged', or install it (it left)"
    )
  }
}

@Suite struct StatusTests {
  @Test(
    "Whether animations play is told with what keeps them from it",
    arguments: [
      (true, true, "on"), (true, false, "on, but the desktop reduces motion"),
      (false, false, "off"),
    ]
  )
  func tellsMotion(animations: Bool, isAnimating: Bool, text: String) {
    var status = ServiceStatus()
    status.animations = animations
    status.isAnimating = isAnimating
    let lines = StatusVerb.plain(status, 0).split(separator: "\n")
    #expect(lines.contains("animations  \(text)"))
  }
}

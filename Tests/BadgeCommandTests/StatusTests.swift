// SPDX-License-Identifier: MIT
import BadgeClient
import Testing

@testable import BadgeCommand

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

// SPDX-License-Identifier: MIT
import BadgeCore
import Testing

@testable import BadgeCommand

@Suite struct PillTests {
  @Test("Each badge has a pill in its own colours, under one another")
  func drawsPills() throws {
    let badges = [
      try Sample.number("mail", 3, [.description: .string("3 unread"), .urgent: .boolean(true)]),
      try Sample.text("日本語", "新しい", [.background: .string("#00FF0080")]),
      try Sample.dot("x", [.progress: .double(0.4)]),
    ]
    #expect(
      Pills(depth: .trueColor).lines(badges) == [
        "mail         \u{1B}[48;2;255;0;0;38;2;255;255;255m 3 \u{1B}[0m  urgent, 3 unread",
        "日本語  \u{1B}[48;2;0;255;0;38;2;255;255;255m 新しい \u{1B}[0m",
        "x            \u{1B}[48;2;255;0;0;38;2;255;255;255m • \u{1B}[0m  40%",
      ]
    )
    #expect(
      Pills(depth: .palette256).lines([badges[2]]) == [
        "x  \u{1B}[48;5;196;38;5;231m • \u{1B}[0m  40%"
      ]
    )
    #expect(
      Pills(depth: .none).lines(badges) == [
        "mail         (3)  urgent, 3 unread", "日本語  (新しい)", "x            (•)  40%",
      ]
    )
  }

  @Test("Hidden badges are drawn without their colours")
  func drawsHidden() throws {
    let badges = [
      try Sample.number("mail", 0),
      try Sample.number("chat", 4, [.visible: .boolean(false), .dismissed: .boolean(true)]),
    ]
    #expect(Pills(depth: .none).lines(badges) == ["mail  -0-  hidden", "chat  -4-  dismissed"])
    #expect(
      Pills(depth: .trueColor).lines(badges) == [
        "mail  \u{1B}[2m 0 \u{1B}[0m  hidden", "chat  \u{1B}[2m 4 \u{1B}[0m  dismissed",
      ]
    )
  }

  @Test("No line is wider than the terminal")
  func fitsColumns() throws {
    let badge = try Sample.text(
      String(repeating: "長", count: 80),
      String(repeating: "x", count: 200),
      [.description: .string(String(repeating: "long ", count: 50))]
    )
    for columns in [20, 40, 80, 200] {
      let line = Pills(depth: .none, columns: columns).lines([badge])[0]
      #expect(TextWidth.columns(of: line) <= columns, "\(columns) columns")
    }
  }

  @Test("No badge can send a terminal a command")
  func escapesControls() throws {
    let badge = try Sample.text(
      "a",
      "\u{1B}]0;x\u{7}",
      [.description: .string("\u{9B}31m\u{202E}")]
    )
    let line = Pills(depth: .none).lines([badge])[0]
    #expect(!line.unicodeScalars.contains(where: isControl))
  }
}

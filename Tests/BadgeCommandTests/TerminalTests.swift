// SPDX-License-Identifier: MIT
import BadgeCore
import Testing

@testable import BadgeCommand

@Suite struct TerminalTests {
  @Test(
    "The columns of a text are those of a terminal",
    arguments: [
      ("", 0), ("mail", 4), ("née", 3), ("ne\u{301}e", 3), ("日本", 4), ("한글", 4), ("ｆｕｌｌ", 8),
      ("👍", 2), ("👨‍👩‍👧", 2), ("🇨🇭", 2), ("✉", 1), ("✉\u{FE0F}", 2), ("•", 1), ("a\u{200B}b", 2),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("…", 1), ("а", 1), ("ศ\u{E34}ล", 2),
    ]
  )
  func measures(text: String, columns: Int) {
    #expect(TextWidth.columns(of: text) == columns)
  }

  @Test(
    "The colours of a terminal are what its variables say, and none where NO_COLOR is set",
    arguments: [
      ([:], .none), (["TERM": "xterm"], .none), (["TERM": "xterm-256color"], .palette256),
      (["TERM": "xterm", "COLORTERM": "truecolor"], .trueColor),
      (["TERM": "screen-256color", "COLORTERM": "24bit"], .trueColor),
      (["TERM": "xterm-256color", "COLORTERM": "yes"], .palette256),
      (["COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
      (["COLORTERM": "truecolor", "NO_COLOR": ""], .trueColor),
    ] as [([String: String], ColorDepth)]
  )
  func knowsDepths(variables: [String: String], depth: ColorDepth) {
    #expect(ColorDepth(environment: Environment(variables)) == depth)
  }

  @Test(
    "A colour becomes the nearest of 256",
    arguments: [
      ("#000", 16), ("#FFFFFF", 231), ("#FF0000", 196), ("#09BB07", 34), ("#808080", 244),
      ("#5F87AF", 67), ("#12345600", 23),
    ]
  )
  func findsPaletteColors(text: String, index: Int) throws {
    #expect(try #require(BadgeColor(text)).paletteIndex == index)
  }
}

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

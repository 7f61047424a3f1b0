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

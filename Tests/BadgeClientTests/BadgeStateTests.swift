// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore
import Testing

@Suite struct BadgeStateTests {
  @Test("A badge of which nothing is known reads as a new one")
  func readsDefaults() throws {
    let badge = BadgeState(id: try BadgeID("mail"))
    #expect(badge.count == 0)
    #expect(badge.label == "")
    #expect(!badge.isVisible)
    #expect(badge.hidesAtZero)
    #expect(badge.isDismissable)
    #expect(badge.maximum == 999)
    #expect(badge.progress == -1)
    #expect(badge.background == "#FF0000")
    #expect(badge.sources.isEmpty)
  }

  @Test("What is given is read, by key and by name")
  func readsValues() throws {
    let badge = BadgeState(
      id: try BadgeID("application://mail.desktop"),
      [
        .kind: .string("text"), .text: .string("x"), .visible: .boolean(true),
        .progress: .integer(1),
        .sources: .sources([
          SourceEntry(name: "a", value: .integer(3)), SourceEntry(name: "b", value: .string("?")),
        ]),
      ]
    )
    #expect(badge.id.rawValue == "mail")
    #expect(badge.kind == "text")
    #expect(badge.text == "x")
    #expect(badge.isVisible)
    #expect(badge.progress == 1)
    #expect(badge.sources.map(\.name) == ["a"])
    #expect(badge[.text] == .string("x"))
    #expect(badge.integer(.text) == 0)
    #expect(badge.string(.visible) == "")
  }
}

// SPDX-License-Identifier: MIT
import TestSupport
import Testing

/// The real polybar with the configuration in `examples/polybar`, photographed.
@Suite(.privateBus) struct PanelPolybarTests {
  private let stage = CommandStage()
  private static let blue: Picture.Color = 0x0099FF
  private static let ink: Picture.Color = 0x102030
  private static let green: Picture.Color = 0x09BB07

  @Test("polybar draws a badge in its own colours, and nothing where it is at zero")
  func drawsBadges() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "3", "--background", "#0099FF", "--foreground", "#102030")
    let screen = try XScreen(width: 500, height: 60)
    let bar = try screen.spawn(
      "polybar",
      ["-c", Project.path("examples/polybar/config.ini"), "badges"],
      on: stage.bus
    )
    defer { bar.terminate() }

    let three = try screen.settled("a blue 3") {
      $0.box(of: Self.blue) != nil && $0.count(of: 0xDDDDDD) > 5
    }
    let box = try #require(three.box(of: Self.blue))
    // The whole height of the bar, at its left end, with the number in it.
    #expect(box.columns.lowerBound < 20 && box.columns.upperBound < 60)
    #expect(box.height > 20)
    #expect(three.count(of: Self.ink, in: box) > 5)

    try stage.done("set", "mail", "4")
    let four = try screen.settled("a blue 4") { $0.part(box) != three.part(box) }
    #expect(four.box(of: Self.blue) == box)
    #expect(four.count(of: Self.ink, in: box) > 5)
    try stage.done("set", "mail", "3")
    _ = try screen.settled("the same 3 again") { $0 == three }

    // What a text contains is no formatting.
    try stage.done("set", "mail", "%{B#09BB07}x", "--background", "#D000D0")
    let text = try screen.settled("a text on violet") { $0.box(of: 0xD000D0) != nil }
    #expect(text.count(of: Self.green) == 0 && text.count(of: Self.blue) == 0)

    try stage.done("clear", "mail")
    let empty = try screen.settled("an empty bar") { $0.box(of: 0xD000D0) == nil }
    try stage.done("set", "updates", "7", "--background", "#09BB07")
    let words = try screen.settled("a word after its number") { $0.box(of: Self.green) != nil }
    let number = try #require(words.box(of: Self.green))
    let beside = Picture.Box(
      columns: number.columns.upperBound..<number.columns.upperBound + 80,
      rows: number.rows
    )
    #expect(words.count(of: 0xDDDDDD, in: beside) > 40)
    #expect(empty.count(of: 0xDDDDDD, in: beside) == 0)
    // At the other end is the total.
    let right = Picture.Box(columns: 400..<500, rows: number.rows)
    #expect(words.count(of: 0xDDDDDD, in: right) > 5 && empty.count(of: 0xDDDDDD, in: right) == 0)
    try stage.done("rm", "updates")
    _ = try screen.settled("the empty bar again") { $0 == empty }
  }
}

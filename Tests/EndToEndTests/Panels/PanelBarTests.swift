// SPDX-License-Identifier: MIT
import Testing
import TestSupport

/// Bars that print text, with the configurations in `examples`.
@Suite(.privateBus) struct PanelLineTests {
  private let stage = CommandStage()

  @Test("i3blocks shows the number, and no block at zero")
  func i3blocks() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "3")
    var environment = stage.bus.environment
    let programs = try productPath("badgectl").split(separator: "/").dropLast()
    environment["PATH"] = "/\(programs.joined(separator: "/")):\(environment["PATH"] ?? "")"
    let bar = try SpawnedProcess(
      "i3blocks",
      ["-c", Project.path("examples/i3blocks/config")],
      environment: environment
    )
    defer { bar.terminate() }
    try bar.waitForLine(
      containing: ##""full_text":"3","short_text":"3","color":"#FFFFFF""##
    )
    try stage.done("set", "mail", "on air")
    try bar.waitForLine(containing: #""full_text":"on air""#)
    try stage.done("clear", "mail")
    var line: String?
    repeat { line = try bar.readLine() } while line?.contains("on air") ?? false
    #expect(line?.contains("full_text") ?? false)
  }
}

/// Screenshots of the real polybar with the configuration in `examples/polybar`.
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

    // A badge's text can't contain formatting.
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

/// The real Waybar and yambar under the real sway, with the configurations in `examples`.
@Suite(.privateBus) struct PanelWaylandTests {
  private let stage = CommandStage()
  private static let red: Picture.Color = 0xFF0000
  private static let white: Picture.Color = 0xFFFFFF
  private static let bar = Picture.Box(columns: 0..<640, rows: 0..<40)

  @Test("Waybar draws the number, plays the bounce, and hides the module at zero")
  func waybar() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "3")
    try stage.done("set", "updates", "5")
    let screen = try WaylandScreen(width: 640, height: 80)
    let bar = try screen.spawn(
      "waybar",
      [
        "-c", Project.path("examples/waybar/config.jsonc"),
        "-s", Project.path("examples/waybar/style.css"),
      ],
      on: stage.bus
    )
    defer { bar.terminate() }

    let three = try screen.settled("a red 3, words and the total") {
      $0.box(of: Self.red) != nil && $0.count(of: 0xDDDDDD) > 40 && $0.box(of: 0x3B4252) != nil
    }
    let pill = try #require(three.box(of: Self.red))
    // At the left end of the bar, round, with the number in it and the words of the next after it.
    #expect(pill.columns.lowerBound < 8 && abs(pill.width - pill.height) <= 4, "\(pill)")
    let number = try #require(three.box(of: Self.white, in: pill))
    #expect(abs(number.doubledMiddle.x - pill.doubledMiddle.x) <= 4, "\(number) in \(pill)")
    let beside = Picture.Box(
      columns: pill.columns.upperBound..<pill.columns.upperBound + 110,
      rows: pill.rows
    )
    #expect(three.count(of: 0xDDDDDD, in: beside) > 40)

    try stage.done("set", "mail", "4")
    _ = try screen.settled("a red 4") {
      $0.part(pill) != three.part(pill) && $0.box(of: Self.red) == pill
    }
    try stage.done("set", "mail", "3")
    _ = try screen.settled("the same 3 again") { $0 == three }

    // Each change plays again: the number is larger for a moment than it is at rest.
    var count = 3
    for direction in ["first", "second"] {
      let swollen = try screen.glimpse(of: Self.bar) {
        count = 7 - count
        try stage.done("set", "mail", "\(count)")
      } where: { picture in
        guard let box = picture.box(of: Self.white, in: pill.grown(by: 4)) else { return false }
        return box.height >= number.height + 2
      }
      #expect(swollen != nil, "no bounce at the \(direction) change")
    }

    try stage.done("clear", "mail")
    try stage.done("clear", "updates")
    let empty = try screen.settled("an empty bar") { $0.box(of: Self.red) == nil }
    #expect(empty.part(Self.bar).count(of: 0xDDDDDD) == 0)
    #expect(bar.isRunning && !bar.errorOutput.contains("CRITICAL"))
  }

  @Test("yambar draws the number, and hides it at zero")
  func yambar() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "3")
    let screen = try WaylandScreen(width: 640, height: 80)
    let bar = try screen.spawn(
      "yambar",
      ["--backend=wayland", "-c", Project.path("examples/yambar/config.yml")],
      on: stage.bus
    )
    defer { bar.terminate() }
    let three = try screen.settled("a red 3") { $0.box(of: Self.red) != nil }
    let box = try #require(three.box(of: Self.red))
    #expect(three.count(of: Self.white, in: box) > 5)
    try stage.done("set", "mail", "{text}", "--urgent")
    let text = try screen.settled("an urgent text") { $0.box(of: 0xBF616A) != nil }
    #expect(try #require(text.box(of: 0xBF616A)).width > box.width)
    try stage.done("set", "mail", "0")
    _ = try screen.settled("an empty bar") {
      $0.box(of: Self.red) == nil && $0.box(of: 0xBF616A) == nil
    }
  }
}

// SPDX-License-Identifier: MIT
import TestSupport
import Testing

/// Screenshots of `examples/gtk-applet`, which draws badges from their style keys.
@Suite(.privateBus) struct PanelAppletTests {
  private let stage = CommandStage()
  private static let red: Picture.Color = 0xFF0000
  private static let green: Picture.Color = 0x09BB07
  private static let white: Picture.Color = 0xFFFFFF

  /// Where the applet draws the icon of a badge, by its place among the ids it was given.
  private static func icon(_ place: Int) -> Picture.Box {
    Picture.Box(columns: 32 + place * 80..<80 + place * 80, rows: 32..<80)
  }

  private func start(_ ids: String..., on screen: XScreen) throws -> SpawnedProcess {
    try screen.spawn(
      "/usr/bin/python3",
      [Project.path("examples/gtk-applet/badged-applet")] + ids,
      on: stage.bus
    )
  }

  @Test("The box is where and as large as the style keys say, and goes at zero")
  func places() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "3")
    try stage.done("set", "chat", "8", "--preset", "counter")
    let screen = try XScreen(width: 500, height: 120)
    let applet = try start("mail", "chat", on: screen)
    defer { applet.terminate() }

    let both = try screen.settled("two badges") {
      $0.box(of: Self.red) != nil && $0.box(of: Self.green) != nil
    }
    // Ten left of and four above the icon's upper right corner; as wide as high for one digit.
    let icon = Self.icon(0)
    let box = try #require(both.box(of: Self.red))
    #expect(abs(box.columns.lowerBound - (icon.columns.upperBound - 10)) <= 1, "\(box)")
    #expect(abs(box.rows.lowerBound - (icon.rows.lowerBound - 4)) <= 1, "\(box)")
    #expect((18...24).contains(box.width) && abs(box.width - box.height) <= 1, "\(box)")
    let number = try #require(both.box(of: Self.white, in: box))
    #expect(abs(number.doubledMiddle.x - box.doubledMiddle.x) <= 3, "\(number) in \(box)")
    // In the middle of the other one, 20 dots, whatever the number's length.
    let counter = try #require(both.box(of: Self.green))
    #expect(abs(counter.width - 20) <= 1 && abs(counter.height - 20) <= 1, "\(counter)")
    let middle = Self.icon(1).doubledMiddle
    #expect(abs(counter.doubledMiddle.x - middle.x) <= 2, "\(counter)")
    #expect(abs(counter.doubledMiddle.y - middle.y) <= 2, "\(counter)")

    // A longer label grows to the right, or to the left where the head stays.
    try stage.done("set", "mail", "12345", "--max", "0")
    let long = try screen.settled("a long number that begins where the short one did") {
      guard let long = $0.box(of: Self.red) else { return false }
      return long.width > 35 && long.columns.lowerBound == box.columns.lowerBound
        && long.rows == box.rows
    }
    let longBox = try #require(long.box(of: Self.red))
    try stage.done("set", "mail", "--grow", "head")
    let headed = try screen.settled("the head where the tail was") {
      let edge = $0.box(of: Self.red)?.columns.upperBound ?? 0
      return abs(edge - box.columns.lowerBound) <= 1
    }
    #expect(try #require(headed.box(of: Self.red)).width == longBox.width)
    try stage.done("set", "mail", "12345", "--grow", "tail", "--anchor", "bottom-left")
    let low = try screen.settled("the lower left corner") {
      ($0.box(of: Self.red)?.rows.lowerBound ?? 0) > 40
    }
    let lowBox = try #require(low.box(of: Self.red))
    #expect(abs(lowBox.columns.lowerBound - (icon.columns.lowerBound - 10)) <= 1, "\(lowBox)")
    #expect(abs(lowBox.rows.upperBound - (icon.rows.upperBound - 4)) <= 1, "\(lowBox)")

    // A counter's box stays, and its label shrinks.
    try stage.done("set", "chat", "88888")
    let full = try screen.settled("a full counter") {
      $0.part(counter) != both.part(counter) && $0.box(of: Self.green) == counter
    }
    let label = try #require(full.box(of: Self.white, in: counter))
    #expect(label.width <= 20 && label.height < number.height, "\(label)")

    try stage.done("set", "mail", "0")
    try stage.done("clear", "chat")
    _ = try screen.settled("no badge") {
      $0.box(of: Self.red) == nil && $0.box(of: Self.green) == nil
    }
    try stage.done("set", "mail", "--dot", "--preset", "badge")
    let dot = try screen.settled("a dot") { $0.box(of: Self.red) != nil }
    #expect(abs(try #require(dot.box(of: Self.red)).width - 14) <= 1)
    #expect(dot.count(of: Self.white) == 0)
  }

  @Test("It plays a bounce, what disappears, and nothing where animations are off")
  func bounces() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "3")
    let screen = try XScreen(width: 500, height: 120)
    let applet = try start("mail", on: screen)
    defer { applet.terminate() }
    let rest = try screen.settled("a badge") { $0.box(of: Self.red) != nil }
    let box = try #require(rest.box(of: Self.red))
    let around = box.grown(by: 20)
    let grown = try screen.glimpse(of: around) {
      try stage.done("inc", "mail")
    } where: {
      ($0.box(of: Self.red)?.width ?? 0) >= box.width + 3
    }
    #expect(grown != nil, "no frame of the bounce is larger")

    // A badge shrinks to its middle as it goes, and so does one that is removed.
    for verb in ["clear", "rm"] {
      try stage.done("set", "mail", "3")
      let shrunk = try screen.glimpse(of: around) {
        try stage.done("set", "mail", "3")
        _ = try screen.settled("a badge at rest") { $0.box(of: Self.red) == box }
        try stage.done(verb, "mail")
      } where: {
        (2...box.width - 3).contains($0.box(of: Self.red)?.width ?? 0)
      }
      #expect(shrunk != nil, "nothing shrinks at \(verb)")
      _ = try screen.settled("no badge after \(verb)") { $0.box(of: Self.red) == nil }
    }

    try stage.done("animations", "off")
    try stage.done("set", "mail", "3")
    _ = try screen.settled("a badge again") { $0.box(of: Self.red) == box }
    for count in 4...6 {
      try stage.done("set", "mail", "\(count)")
      for frame in try screen.frames(of: around, for: .milliseconds(300)) {
        #expect(frame.box(of: Self.red)?.width == box.width)
      }
    }
  }

  @Test("It shakes what is urgent, also when it comes later, until that is acknowledged")
  func shakes() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "build", "broken build", "--urgent", "--background", "#FF0000")
    let screen = try XScreen(width: 500, height: 120)
    let applet = try start("build", on: screen)
    defer { applet.terminate() }
    let area = Picture.Box(columns: 50..<200, rows: 0..<80)
    var tilts: [Int] = []
    let turns = try eventually {
      tilts += try screen.frames(of: area, for: .milliseconds(300)).compactMap(Self.tilt)
      return (tilts.min() ?? 0) <= -2 && (tilts.max() ?? 0) >= 2
    }
    #expect(turns, "it leans by \(tilts)")
    try stage.done("ack", "build")
    _ = try screen.settled("a badge at rest") { Self.tilt($0.part(area)) == 0 }
    // What is urgent, and changes, shakes anew.
    try stage.done("urgent", "build")
    let leaning = try screen.glimpse(of: area) {
      try stage.done("set", "build", "failed tests")
    } where: {
      abs(Self.tilt($0) ?? 0) >= 2
    }
    #expect(leaning != nil)
    try stage.done("animations", "off")
    _ = try screen.settled("a badge that has stopped") { Self.tilt($0.part(area)) == 0 }
  }

  /// How far the right end of the red pill is below its left end, in pixels.
  private static func tilt(_ picture: Picture) -> Int? {
    guard let box = picture.box(of: red), box.width > 20 else { return nil }
    func middle(_ columns: Range<Int>) -> Int? {
      picture.box(of: red, in: Picture.Box(columns: columns, rows: box.rows))?.doubledMiddle.y
    }
    guard let left = middle(box.columns.lowerBound..<box.columns.lowerBound + 4),
      let right = middle(box.columns.upperBound - 4..<box.columns.upperBound)
    else { return nil }
    return (right - left) / 2
  }
}

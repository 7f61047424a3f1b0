// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@Suite(.privateBus) struct CommandTerminalTests {
  private let stage = CommandStage()

  /// Runs badgectl on a terminal, `script(1)`'s.
  private func onTerminal(_ words: String, _ variables: [String: String]) throws -> SpawnedProcess {
    var environment = stage.bus.environment
    environment["TERM"] = "xterm"
    environment.merge(variables) { $1 }
    return try SpawnedProcess(
      "script",
      ["-qefc", "'\(productPath("badgectl"))' \(words)", "/dev/null"],
      environment: environment,
      input: .pipe
    )
  }

  @Test(
    "A terminal gets pills in the badges' own colours, as far as it has them",
    arguments: [
      (["COLORTERM": "truecolor"], "\u{1B}[48;2;0;153;255;38;2;255;255;255m on air \u{1B}[0m"),
      (["TERM": "xterm-256color"], "\u{1B}[48;5;33;38;5;231m on air \u{1B}[0m"),
      ([:], "(on air)"), (["COLORTERM": "24bit", "NO_COLOR": "1"], "(on air)"),
    ]
  )
  func drawsPills(variables: [String: String], pill: String) throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "日本", "on air", "--background", "#09f")
    try stage.done("set", "mail", "3", "--urgent", "--background", "#09f")
    let terminal = try onTerminal("list", variables)
    defer { terminal.terminate() }
    let mail = try terminal.waitForLine(containing: "mail")
    #expect(mail.hasSuffix("  urgent\r"))
    #expect(try terminal.waitForLine(containing: "日本") == "日本  \(pill)\r")
    #expect(try terminal.wait() == .success)
  }

  @Test("A watch on a terminal draws the picture again over the one before")
  func redraws() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "3")
    let terminal = try onTerminal("watch", [:])
    defer { terminal.terminate() }
    #expect(try terminal.readLine() == "\rmail  (3)\u{1B}[K\r")
    try stage.done("set", "chat", "1")
    // What clears the rest of the screen comes before going up over the picture.
    #expect(try terminal.readLine() == "\u{1B}[J\u{1B}[1A\rchat  (1)\u{1B}[K\r")
    #expect(try terminal.readLine() == "mail  (3)\u{1B}[K\r")
    try stage.done("rm", "chat", "mail")
    try terminal.waitForLine(containing: "no badge shows")
    daemon.terminate()
    try terminal.waitForLine(containing: "the badge daemon is away")
  }

  @Test("A watch with a format prints lines on a terminal too")
  func printsLines() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "3")
    let terminal = try onTerminal("watch --format plain mail", [:])
    defer { terminal.terminate() }
    #expect(try terminal.readLine() == "3\r")
  }
}

// SPDX-License-Identifier: MIT
import TestSupport
import Testing

/// Bars that hand on text, with the configurations in `examples`.
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

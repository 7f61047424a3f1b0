// SPDX-License-Identifier: MIT
import TestSupport
import Testing

/// The GNOME Shell extension in `examples`, run by gjs with a stub of the shell.
@Suite(.privateBus) struct PanelShellTests {
  private let stage = CommandStage()

  @Test("The extension holds nothing before it is enabled, shows live badges, and leaves nothing")
  func lives() throws {
    var daemon = try stage.startDaemon()
    try stage.done("set", "mail", "3")
    let work = try TemporaryDirectory()
    let shell = try stage.bus.spawn(
      "gjs",
      [
        "-m", Project.path("Tests/Tools/shell-extension"),
        Project.path("examples/gnome-shell/badges@badged"), work.path,
      ],
      input: .pipe
    )
    defer { shell.terminate() }
    #expect(try shell.readLine() == "loaded 0")
    shell.write("enable\n")
    #expect(try shell.readLine() == "enabled")
    #expect(try shell.readLine() == "pills 3,#FF0000")
    try stage.done("set", "mail", "4", "--background", "#0099FF")
    try shell.waitForLine(containing: "pills 4,#0099FF")
    try shell.waitForLine(containing: "moves 4 scale")
    try stage.done("set", "build", "--dot", "--urgent")
    try shell.waitForLine(containing: "pills 4,#0099FF -,#FF0000")
    try shell.waitForLine(containing: "moves - rotation_angle_z")

    // A click acknowledges, the other button dismisses.
    shell.write("click - 1\n")
    #expect(try eventually { try stage.done("get", "build", "urgent") == "false\n" })
    shell.write("click 4 3\n")
    try shell.waitForLine(containing: "pills -,#FF0000")
    #expect(try stage.done("list").hasPrefix("build\t"))

    // The badges reappear after a restart of the daemon.
    daemon.terminate()
    daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "build", "5")
    try shell.waitForLine(containing: "pills 5,#FF0000")
    shell.write("disable\n")
    try shell.waitForLine(containing: "disabled 0")
    shell.closeInput()
    #expect(try shell.wait() == .success)
    #expect(shell.errorOutput == "")
  }

  @Test("Python and JavaScript play every hint of the catalogue alike")
  func motionsAgree() throws {
    let script = try stage.bus.directory.write(
      """
      import {Motion} from 'file://\(Project.path("examples/gnome-shell/badges@badged/motion.js"))';
      for (const hint of JSON.parse(ARGV[0])) {
          const motion = new Motion(hint);
          const values = [0, 0.1, 0.25, 0.5, 0.77, 1].map(at => motion.value(at).toFixed(4));
          print(hint.name, ...values);
      }
      """,
      to: "motion-main.js"
    )
    let python = """
      import json, sys
      sys.dont_write_bytecode = True
      sys.path.insert(0, "\(Project.path("examples/gtk-applet"))")
      from motion import Motion
      for hint in json.loads(sys.argv[1]):
          motion = Motion({**hint, "repeat": 2}, 0)
          at = [0, 0.1, 0.25, 0.5, 0.77]
          values = [motion.value(x * hint["duration"]) for x in at] + [motion._interpolated(motion.ease(1))]
          print(hint["name"], *(f"{value:.4f}" for value in values))
      """
    let inJavaScript = try stage.bus.run("gjs", ["-m", script, Self.hints])
    let inPython = try stage.bus.run("/usr/bin/python3", ["-c", python, Self.hints])
    #expect(inJavaScript.errorOutput == "" && inPython.errorOutput == "")
    #expect(inJavaScript.output == inPython.output)
    let lines = inPython.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.first == "bounce 1.5000 1.3582 1.2047 1.0529 0.9882 1.0000")
    #expect(lines.last == "shake -5.0000 -3.0000 0.0000 5.0000 -0.4000 -5.0000")
  }

  /// Entries of the catalogue: overshooting, with a spring, with several keyframes, linear.
  private static let hints = """
    [{"name": "bounce", "property": "scale", "keyframes": [[0, 1.5], [1, 1]], "duration": 0.2,
      "timing": [0.4, 1.3, 1, 1], "repeat": 1},
     {"name": "spring", "property": "scale", "keyframes": [[0, 0.1], [1, 1]], "duration": 0.5,
      "spring": [0.5, 0.5], "repeat": 1},
     {"name": "pop", "property": "scale", "duration": 0.35, "repeat": 1,
      "keyframes": [[0, 1], [0.143, 0.85], [0.714, 1.05], [0.857, 0.95], [1, 1]]},
     {"name": "shake", "property": "rotation", "keyframes": [[0, -5], [0.5, 5], [1, -5]],
      "duration": 0.25, "repeat": 0}]
    """
}

// SPDX-License-Identifier: MIT
import EventLoop
import Glibc
import Testing
import TestSupport

@Suite(.privateBus) struct CommandWatchTests {
  private let stage = CommandStage()

  @Test("The present state comes first, then a line for each change, and no duplicates")
  func follows() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "3")
    let watch = try stage.spawn("watch", "mail")
    defer { watch.terminate() }
    #expect(try watch.readLine() == "3")
    try stage.done("set", "mail", "4")
    #expect(try watch.readLine() == "4")
    try stage.done("set", "mail", "4", "--font", "Sans")
    try stage.done("set", "other", "9")
    try stage.done("set", "mail", "0")
    #expect(try watch.readLine() == "")
    try stage.done("set", "mail", "--dot")
    #expect(try watch.readLine() == "•")
    try stage.done("rm", "mail")
    #expect(try watch.readLine() == "")
    try stage.done("set", "mail", "on air")
    #expect(try watch.readLine() == "on air")
  }

  @Test("An absent badge begins as a hidden one, and ids are recognised in every form")
  func beginsHidden() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    let watch = try stage.spawn("watch", "application://org.example.Mail.desktop")
    defer { watch.terminate() }
    #expect(try watch.readLine() == "")
    try stage.done("set", "org.example.Mail", "1")
    #expect(try watch.readLine() == "1")
  }

  @Test("A daemon that comes back soon was never away")
  func survivesShortAbsence() throws {
    var daemon = try stage.startDaemon()
    try stage.done("set", "mail", "3")
    let watch = try stage.spawn("watch", "--json", "mail")
    defer { watch.terminate() }
    #expect(try watch.readLine()?.contains(#""event":"state""#) ?? false)
    daemon.terminate()
    daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "4")
    let line = try #require(try watch.readLine())
    #expect(line.contains(#""count":4"#))
  }

  @Test("A daemon that is away for longer is printed as hidden, and things go on with the next")
  func survivesLongAbsence() throws {
    var daemon = try stage.startDaemon()
    try stage.done("set", "mail", "3")
    let plain = try stage.spawn("watch", "mail")
    let json = try stage.spawn("watch", "mail", "--json")
    defer {
      plain.terminate()
      json.terminate()
    }
    #expect(try plain.readLine() == "3")
    #expect(try json.readLine()?.contains(#""count":3"#) ?? false)
    // Taken before the name is released, so that a slow exit can't shorten the time measured.
    let left = Instant.now()
    daemon.terminate()
    #expect(try plain.readLine() == "")
    #expect(Instant.now() - left > .milliseconds(1900))
    #expect(try json.readLine() == #"{"event":"down"}"#)
    daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    #expect(try plain.readLine() == "3")
    #expect(try json.readLine()?.hasPrefix(#"{"event":"state","id":"mail","badge":{"#) ?? false)
    try stage.done("inc", "mail")
    #expect(try plain.readLine() == "4")
  }

  @Test("Started before the daemon, it waits for it")
  func waitsForDaemon() throws {
    let watch = try stage.spawn("watch", "mail")
    defer { watch.terminate() }
    #expect(try watch.readLine() == "")
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "1")
    #expect(try watch.readLine() == "1")
  }

  @Test("A second daemon that takes over is followed at once")
  func followsReplacement() throws {
    let first = try stage.startDaemon()
    defer { first.terminate() }
    try stage.done("set", "mail", "3")
    let watch = try stage.spawn("watch", "mail")
    defer { watch.terminate() }
    #expect(try watch.readLine() == "3")
    let second = try stage.bus.spawn(
      productPath("badged"),
      ["--no-unity-name", "--replace", "--state", stage.bus.directory.appending("state")]
    )
    defer { second.terminate() }
    try second.waitForLine(containing: "serving", from: .error)
    try stage.done("set", "mail", "4")
    #expect(try watch.readLine() == "4")
  }

  @Test("It ends when its reader goes away, also while nothing changes", arguments: [[], ["mail"]])
  func endsWithReader(ids: [String]) throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "1")
    let watch = try stage.bus.spawn(productPath("badgectl"), ["watch"] + ids)
    #expect(try watch.readLine() != nil)
    watch.closeReader(of: .output)
    #expect(try watch.wait() == .success)
    #expect(watch.errorOutput == "")
  }

  @Test("It ends quietly on SIGTERM and SIGINT", arguments: [SIGTERM, SIGINT])
  func endsOnSignals(signal: CInt) throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    let watch = try stage.spawn("watch", "mail")
    #expect(try watch.readLine() == "")
    watch.send(signal: signal)
    #expect(try watch.wait() == .success)
  }

  @Test("It ends on SIGTERM also while its reader does not read")
  func endsBesideStuckReader() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    // The reader never reads, so the pipe fills up.
    let script = #"""
      mkfifo "$1"; sleep 60 <"$1" & reader=$!
      "$0" watch --json >"$1" & echo $! >&2
      wait $!; echo "status $?" >&2; kill $reader
      """#
    let shell = try stage.bus.spawn(
      "/bin/sh",
      ["-c", script, productPath("badgectl"), stage.bus.directory.appending("pipe")]
    )
    defer { shell.terminate() }
    let line = try #require(try shell.readLine(from: .error))
    let process = try #require(CInt(line))
    for round in 0..<40 {
      try stage.done(
        "batch",
        input: .text(
          (0..<50).map { "set b\($0) \(round) --description \(round)" }.joined(separator: "\n")
        )
      )
    }
    kill(process, SIGTERM)
    try shell.waitForLine(containing: "status 0", from: .error)
  }

  @Test("The bus that goes is printed as hidden, with status 4")
  func endsWithBus() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "1")
    let watch = try stage.spawn("watch", "mail")
    #expect(try watch.readLine() == "1")
    stage.bus.stop()
    #expect(try watch.readLine() == "")
    #expect(try watch.wait() == .exited(4))
    #expect(watch.errorOutput.hasPrefix("badgectl: the session bus is gone"))
  }

  @Test("It never spins: an idle watch takes no time at all")
  func sleeps() throws {
    let daemon = try stage.startDaemon()
    let watch = try stage.spawn("watch", "--json", "mail")
    defer { watch.terminate() }
    #expect(try watch.readLine() != nil)
    daemon.terminate()
    #expect(try watch.readLine() == #"{"event":"down"}"#)
    // Idleness can only be observed over a period. The first may include the end of the last event.
    #expect(
      try eventually {
        let before = try contextSwitches(of: watch.processID)
        _ = poll(nil, 0, 700)
        return try contextSwitches(of: watch.processID) <= before + 1
      }
    )
  }

  @Test("Each line is written whole, by one call")
  func writesWhole() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    let watch = try stage.spawn("watch", "--format", "waybar")
    defer { watch.terminate() }
    #expect(try watch.readLine()?.hasSuffix("}") ?? false)
    try stage.done("set", "mail", "1")
    #expect(try watch.readLine()?.contains(#""text":"1""#) ?? false)
    try stage.done("set", "chat", "on & off")
    #expect(try watch.readLine()?.contains(#""text":"on &amp; off 1""#) ?? false)
  }
}

/// The number of voluntary context switches of a process.
private func contextSwitches(of process: CInt) throws -> Int {
  let status = contents(ofFile: "/proc/\(process)/status") ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
  guard let count = line?.split(separator: "\t").last.flatMap({ Int($0) }) else {
    throw TestFailure("no context switches of \(process)")
  }
  return count
}

@Suite(.privateBus) struct CommandTerminalTests {
  private let stage = CommandStage()

  /// Runs badgectl on a terminal of `script(1)`.
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
    // Clears the rest of the screen, then moves up over the previous output.
    #expect(try terminal.readLine() == "\u{1B}[J\u{1B}[1A\rchat  (1)\u{1B}[K\r")
    #expect(try terminal.readLine() == "mail  (3)\u{1B}[K\r")
    try stage.done("rm", "chat", "mail")
    try terminal.waitForLine(containing: "no visible badges")
    daemon.terminate()
    try terminal.waitForLine(containing: "badged is not running")
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

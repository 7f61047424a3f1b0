// SPDX-License-Identifier: MIT
import Glibc
import Testing
import TestSupport

@Suite(.privateBus) struct CommandErrorTests {
  private let stage = CommandStage()

  private static let refusals: [([String], String)] = [
    (["set", "a/b", "1"], "'a/b'"), (["set", "", "1"], "''"),
    (["set", String(repeating: "x", count: 256), "1"], "'xxxxxx"),
    (["set", "tab\there", "1"], "tab"), (["set", " mail", "1"], "' mail'"),
    (["set", "x", "9007199254740992"], "'9007199254740992'"),
    (["set", "x", "-9007199254740992"], "'-9007199254740992'"),
    (["set", "x", "9223372036854775808"], "'9223372036854775808'"),
    (["set", "x", "--count", "9007199254740992"], "count: '9007199254740992' is not"),
    (["inc", "x", "-2"], "by: '-2' is not"), (["set", "x", "--max", "-1"], "max: '-1' is not"),
    (["set", "x", "--progress", "1.10"], "progress: '1.10' is not"),
    (["set", "x", "--font-size", "1e999"], "font-size: '1e999' is not"),
    (["set", "x", "--background", "red"], "'red'"), (["set", "x", "--anchor", "up"], "'up'"),
    (["set", "x", "--preset", "none"], "'none'"),
    (["set", "x", "5", "--ttl", "-1"], "ttl: '-1' is not"),
    (["set", "x", "--kind", "bar"], "'bar'"),
    (["set", "x", "--text", String(repeating: "y", count: 5000)], "'yyyyyy"),
    (["set", "x", "a\u{7}b"], "a"),
    (["set", "x", "--while-pid", "4194304"], "while-pid: '4194304' is not"),
    (["watch", "a/b"], "'a/b'"),
  ]

  @Test("What the daemon refuses is one line that names the value, and changes nothing")
  func refuses() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    for (words, value) in Self.refusals {
      let run = try stage.bus.run(productPath("badgectl"), words)
      #expect(run.status == .exited(1), "\(words)")
      #expect(run.output == "")
      #expect(run.errorOutput.hasPrefix("badgectl: "))
      #expect(run.errorOutput.contains(value), "\(run.errorOutput)")
      #expect(run.errorOutput.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
    }
    #expect(try stage.done("list", "--all") == "")
  }

  @Test("An absent badge has a status of its own")
  func reportsAbsence() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    for words in [
      ["get", "x"], ["rm", "x"], ["dismiss", "x"], ["dec", "x"], ["get", "x", "max"],
    ] {
      let run = try stage.bus.run(productPath("badgectl"), words)
      #expect(run.status == .exited(3))
      #expect(run.errorOutput == "badgectl: no such badge: 'x'\n")
    }
  }

  @Test("Clearing and acknowledging what is absent succeeds")
  func toleratesAbsence() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("clear", "x", "y")
    try stage.done("ack", "x")
    #expect(try stage.done("list", "--all") == "")
  }

  @Test("Removing several does all it can, then has the first failure's status")
  func removesWhatItCan() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    for id in ["a", "b", "c"] { try stage.done("set", id, "1") }
    let run = try stage.badgectl("rm", "a", "nope", "c", "nada")
    #expect(run.status == .exited(3))
    #expect(
      run.errorOutput == "badgectl: no such badge: 'nope'\nbadgectl: no such badge: 'nada'\n"
    )
    #expect(try stage.done("list", "--all") == "b\t1\tnumber\t1\ttrue\n")
    #expect(try stage.done("rm", "--all") == "")
    #expect(try stage.done("list", "--all") == "")
  }

  private static let needingDaemon = [
    ["set", "x", "1"], ["inc", "x"], ["dec", "x"], ["clear", "x"], ["rm", "x", "y"],
    ["rm", "--all"], ["get", "x"], ["get", "x", "--default", "0"], ["list"], ["urgent", "x"],
    ["ack", "x"], ["dismiss", "x"], ["animations", "on"], ["quiet", "off"], ["status"], ["export"],
  ]

  @Test("Without a daemon every verb that needs one says so, with status 4")
  func needsDaemon() throws {
    for words in Self.needingDaemon {
      let run = try stage.bus.run(productPath("badgectl"), words)
      #expect(run.status == .exited(4))
      #expect(run.output == "")
      #expect(
        run.errorOutput.hasPrefix(
          "badgectl: badged is not running; start it with 'badged', or install it"
        )
      )
      #expect(run.errorOutput.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
    }
  }

  @Test("Without a bus every verb that needs one says so in its own words, with status 4")
  func needsBus() throws {
    for address in ["unix:path=/nonexistent/bus", "nonsense", "unix:"] {
      var environment = stage.bus.environment
      environment["DBUS_SESSION_BUS_ADDRESS"] = address
      environment["DISPLAY"] = ":0"
      let run = try SpawnedProcess.run(
        productPath("badgectl"),
        ["set", "x", "1"],
        environment: environment
      )
      #expect(run.status == .exited(4))
      #expect(run.errorOutput.hasPrefix("badgectl: no session bus: '\(address)'; "))
      #expect(run.errorOutput.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
    }
    let run = try SpawnedProcess.run(
      productPath("badgectl"),
      ["watch"],
      environment: ["XDG_RUNTIME_DIR": stage.bus.directory.appending("none")]
    )
    #expect(run.status == .exited(4))
    #expect(
      run.errorOutput.hasPrefix(
        "badgectl: no session bus: 'unix:path=\(stage.bus.directory.appending("none"))/bus'; "
      )
    )
  }

  @Test("Bytes that are no UTF-8 on the command line are refused")
  func refusesBytes() throws {
    let run = try stage.bus.run(
      "/bin/sh",
      ["-c", #"exec "$0" set "$(printf 'a\377b')" 1"#, productPath("badgectl")]
    )
    #expect(run.status == .exited(2))
    #expect(run.errorOutput == "badgectl: argument 2 is not UTF-8: 'a\u{FFFD}b'\n")
  }

  @Test("An output that takes nothing is a failure")
  func reportsFullOutput() throws {
    let process = try SpawnedProcess(
      productPath("badgectl"),
      ["help"],
      environment: stage.bus.environment,
      outputFile: "/dev/full"
    )
    #expect(try process.wait() == .exited(1))
    #expect(
      process.errorOutput
        == "badgectl: cannot write standard output: 'No space left on device'\n"
    )
  }

  @Test("A watch whose output takes nothing is a failure")
  func reportsFullOutputOfWatch() throws {
    let daemon = try stage.startDaemon()
    try stage.done("set", "mail", "3")
    let process = try SpawnedProcess(
      productPath("badgectl"),
      ["watch", "mail"],
      environment: stage.bus.environment,
      outputFile: "/dev/full"
    )
    #expect(try process.wait() == .exited(1))
    #expect(process.errorOutput.contains("cannot write standard output: 'No space left"))
    #expect(daemon.terminate() == .success)
  }

  @Test("A closed output is a failure, and never the bus connection in its place")
  func reportsClosedOutput() throws {
    let daemon = try stage.startDaemon()
    try stage.done("set", "mail", "3")
    for words in ["get mail", "list", "inc mail"] {
      let line = "exec \"$0\" \(words) >&-"
      let run = try stage.bus.run("/bin/sh", ["-c", line, productPath("badgectl")])
      #expect(run.status == .exited(1), "\(words)")
      #expect(run.errorOutput.contains("cannot write standard output"), "\(words)")
    }
    let silent = try stage.bus.run(
      "/bin/sh",
      ["-c", #"exec "$0" get absent 2>&-"#, productPath("badgectl")]
    )
    #expect(silent.status == .exited(3))
    #expect(try stage.done("get", "mail") == "4\n")
    #expect(daemon.terminate() == .success)
  }

  @Test("Help and version need no bus")
  func needsNoBus() throws {
    for words in [["help"], ["--help"], ["--version"], ["set", "--help"], ["completions", "zsh"]] {
      let run = try SpawnedProcess.run(productPath("badgectl"), words)
      #expect(run.status == .success)
      #expect(run.errorOutput == "")
      #expect(run.output != "")
    }
  }
}

/// badgectl on a bus that can activate the daemon.
@Suite(.processLogs) struct CommandActivationTests {
  /// A bus with an activation file for the daemon that runs `command`.
  private func bus(starting command: String, in folder: TemporaryDirectory) throws -> PrivateBus {
    try folder.write(
      "[D-BUS Service]\nName=org.badged.Badges1\nExec=\(command)\n",
      to: "org.badged.service"
    )
    return try PrivateBus(serviceDirectories: [folder.path])
  }

  private func daemon(in folder: TemporaryDirectory) throws -> String {
    "\(try productPath("badged")) --no-unity-name --state \(folder.appending("state"))"
  }

  /// Ends the daemon that the bus started.
  private func endDaemon(of bus: PrivateBus) throws {
    let status = try bus.run(productPath("badgectl"), ["status", "--json"]).output
    let digits = try #require(status.firstRange(of: "\"pid\":")?.upperBound)
    let process = try #require(CInt(status[digits...].prefix { $0.isNumber }))
    kill(process, SIGTERM)
  }

  @Test("The first call starts the daemon")
  func startsDaemon() throws {
    let folder = try TemporaryDirectory()
    let bus = try bus(starting: daemon(in: folder), in: folder)
    defer { bus.stop() }
    let set = try bus.run(productPath("badgectl"), ["set", "mail", "3"])
    #expect(set.status == .success, "\(set.errorOutput)")
    #expect(try bus.run(productPath("badgectl"), ["get", "mail"]).output == "3\n")
    try endDaemon(of: bus)
  }

  @Test("A watch starts the daemon once, and not again when it leaves")
  func watchStartsOnce() throws {
    let folder = try TemporaryDirectory()
    let bus = try bus(starting: daemon(in: folder), in: folder)
    defer { bus.stop() }
    let watch = try bus.spawn(productPath("badgectl"), ["watch", "--json", "mail"])
    defer { watch.terminate() }
    #expect(try watch.readLine()?.hasPrefix(#"{"event":"state","id":"mail""#) ?? false)
    try endDaemon(of: bus)
    #expect(try watch.readLine() == #"{"event":"down"}"#)
    #expect(try bus.run(productPath("badgectl"), ["set", "mail", "1"]).status == .success)
    #expect(try watch.waitForLine(containing: #""count":1"#).contains(#""id":"mail""#))
    try endDaemon(of: bus)
  }

  @Test("A daemon that is started and never answers is printed as hidden all the same")
  func watchesHangingStart() throws {
    let folder = try TemporaryDirectory()
    let bus = try bus(starting: "/bin/sleep 60", in: folder)
    defer { bus.stop() }
    let watch = try bus.spawn(productPath("badgectl"), ["watch", "mail"])
    defer { watch.terminate() }
    #expect(try watch.readLine() == "")
  }

  @Test("A daemon that cannot be started is said to be missing, with status 4")
  func reportsFailedStart() throws {
    let folder = try TemporaryDirectory()
    let bus = try bus(starting: "/bin/false", in: folder)
    defer { bus.stop() }
    let run = try bus.run(productPath("badgectl"), ["set", "mail", "3"])
    #expect(run.status == .exited(4))
    #expect(run.errorOutput.hasPrefix("badgectl: badged is not running; start it with"))
  }
}

// SPDX-License-Identifier: MIT
import Testing
import TestSupport

@Suite(.privateBus) struct CommandVerbTests {
  private let stage = CommandStage()

  @Test("A count is set, stepped, cleared and forgotten")
  func counts() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "5")
    #expect(try stage.done("get", "mail") == "5\n")
    #expect(try stage.done("inc", "mail") == "6\n")
    #expect(try stage.done("dec", "mail", "2") == "4\n")
    #expect(try stage.done("decrement", "mail", "99") == "0\n")
    try stage.done("set", "mail", "-3")
    #expect(try stage.done("get", "mail") == "-3\n")
    #expect(try stage.done("get", "mail", "visible") == "false\n")
    #expect(try stage.done("inc", "fresh") == "1\n")
    #expect(try stage.done("inc", "full", "9223372036854775807") == "9007199254740991\n")
    try stage.done("clear", "mail", "fresh")
    #expect(try stage.done("get", "fresh") == "0\n")
    try stage.done("rm", "mail", "fresh", "full")
    #expect(try stage.done("list", "--all") == "")
  }

  @Test("A text, a dot and a number in disguise are what they are")
  func kinds() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    for (value, printed, kind) in [
      (" on air ", "on air\n", "text\n"), ("7", "7\n", "number\n"), ("007", "007\n", "text\n"),
      ("--dot", "•\n", "dot\n"), ("--text=-3", "-3\n", "text\n"), ("--text=8", "8\n", "number\n"),
    ] {
      try stage.done("set", "x", value)
      #expect(try stage.done("get", "x") == printed)
      #expect(try stage.done("get", "x", "kind") == kind)
    }
    try stage.done("set", "x", "")
    #expect(try stage.done("get", "x") == "0\n")
  }

  @Test("Named sources add up")
  func sources() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "2")
    try stage.done("set", "mail", "3", "--source", "work")
    #expect(try stage.done("inc", "mail", "--source", "home", "4") == "9\n")
    #expect(try stage.done("dec", "mail", "-s", "home") == "8\n")
    #expect(try stage.done("get", "mail", "sources") == "\t2\nhome\t3\nwork\t3\n")
    try stage.done("set", "mail", "--sources", "work=0", "--sources", "a=b=1")
    #expect(try stage.done("get", "mail", "sources") == "\t2\na=b\t1\nhome\t3\n")
  }

  @Test("Every option reaches the daemon, and an empty one puts the default back")
  func options() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done(
      "set",
      "x",
      "1200",
      "--background",
      "#09f",
      "--max",
      "99",
      "--urgent",
      "--show-zero",
      "--no-dismissable",
      "--no-animate",
      "--animation-change",
      "pop",
      "--offset-x",
      "-3.5",
      "--progress",
      "0.5",
      "--description",
      "it's",
      "--ttl",
      "3600",
      "--grow",
      "head"
    )
    let json = try stage.done("get", "x", "--json")
    for part in [
      #""count":1200"#, #""label":"99+""#, #""urgent":true"#, #""hide-at-zero":false"#,
      #""dismissable":false"#, #""animate":false"#, #""animation-change":"pop""#,
      ##""background":"#0099FF""##, #""offset-x":-3.5"#, #""progress":0.5"#,
      #""description":"it's""#, #""grow":"head""#,
    ] {
      #expect(json.contains(part), "\(part)")
    }
    try stage.done("set", "x", "--background=", "--animate=", "--no-urgent", "--hide-zero")
    #expect(try stage.done("get", "x", "background") == "#FF0000\n")
    #expect(try stage.done("get", "x", "animate") == "true\n")
    #expect(try stage.done("get", "x", "urgent") == "false\n")
    try stage.done("set", "x", "--preset", "counter", "--background", "#000")
    #expect(try stage.done("get", "x", "fit") == "shrink\n")
    #expect(try stage.done("get", "x", "background") == "#000000\n")
  }

  @Test("A pipe gets lines with tabs, of the visible badges or of all")
  func lists() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "1000")
    try stage.done("set", "My App", "on air")
    try stage.done("set", "dot", "--dot")
    try stage.done("set", "zero", "0")
    #expect(
      try stage.done("list") == """
        My App\ton air\ttext\t0\ttrue
        dot\t\tdot\t0\ttrue
        mail\t999+\tnumber\t1000\ttrue

        """
    )
    #expect(try stage.done("list", "-a").hasSuffix("zero\t0\tnumber\t0\tfalse\n"))
    let json = try stage.done("list", "--json")
    #expect(json.hasPrefix(#"[{"id":"My App","kind":"text","#))
    #expect(!json.contains(#""id":"zero""#))
  }

  @Test("Urgency, dismissal, quiet and animations are a word each")
  func settings() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "3")
    try stage.done("urgent", "mail")
    #expect(try stage.done("get", "mail", "urgent") == "true\n")
    try stage.done("ack", "mail")
    #expect(try stage.done("get", "mail", "urgent") == "false\n")

    try stage.done("dismiss", "mail")
    #expect(try stage.done("get", "mail", "--default", "none") == "none\n")
    try stage.done("set", "mail", "3")
    #expect(try stage.done("get", "mail", "dismissed") == "true\n")
    try stage.done("set", "mail", "4")
    #expect(try stage.done("list") == "mail\t4\tnumber\t4\ttrue\n")

    try stage.done("quiet", "on")
    #expect(try stage.done("list") == "")
    try stage.done("quiet", "off")
    #expect(try stage.done("list") != "")
    try stage.done("quiet", "for", "1h")
    #expect(try stage.done("status").contains("\nquiet       until 20"))
    try stage.done("quiet", "off")
    try stage.done("animations", "off")
    #expect(try stage.done("status").contains("\nanimations  off\n"))
    try stage.done("animations", "on")
    #expect(try stage.done("status", "--json").contains(#""animations":true"#))
  }

  @Test("The status tells of the daemon")
  func status() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "3")
    try stage.done("set", "zero", "0")
    let status = try stage.done("status")
    #expect(status.contains("\npid         \(daemon.processID)\n"))
    #expect(status.contains("\nbadges      2, 1 visible\n"))
    #expect(status.contains("\nstate       \(stage.bus.directory.path)/state\n"))
    #expect(status.contains("\ndurable     yes\n"))
    #expect(status.contains("\nsince       20"))
  }
}

@Suite(.privateBus) struct CommandBatchTests {
  private let stage = CommandStage()

  @Test("A batch goes on after errors, names their lines and has the first one's status")
  func goesOn() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    let run = try stage.badgectl(
      "batch",
      input: .text(
        """
        # two badges
        set mail 5
        get nope

        set 'My App' "on air"   # a text
        frob
        set mail "
        inc mail 2
        rm a b
        watch
        get 'My App'
        """
      )
    )
    #expect(run.output == "7\non air\n")
    #expect(
      run.errorOutput == """
        badgectl: line 3: no such badge: 'nope'
        badgectl: line 6: unknown command: 'frob'; see 'badgectl help'
        badgectl: line 7: unterminated quote: '"'
        badgectl: line 9: no such badge: 'a'
        badgectl: line 9: no such badge: 'b'
        badgectl: line 10: not available in a batch: 'watch'

        """
    )
    #expect(run.status == .exited(3))
  }

  @Test("Each line is run as it comes")
  func runsAtOnce() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    let batch = try stage.spawn("batch", input: .pipe)
    defer { batch.terminate() }
    batch.write("inc mail\n")
    #expect(try batch.readLine() == "1")
    batch.write("inc mail 2\nge")
    #expect(try batch.readLine() == "3")
    batch.write("t mail\n")
    #expect(try batch.readLine() == "3")
    batch.write("inc mail")
    batch.closeInput()
    #expect(try batch.readLine() == "4")
    #expect(try batch.wait() == .success)
  }

  @Test("NUL, bytes that are no UTF-8 and endless lines are refused by their number")
  func refusesBytes() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    var input = Array("set a\0b 1\nset ".utf8) + [0xFF] + Array(" 1\n".utf8)
    input += [UInt8](repeating: UInt8(ascii: "x"), count: 100_000) + Array("\nset c 1\n".utf8)
    let run = try stage.badgectl("batch", input: .bytes(input))
    #expect(run.status == .exited(2))
    #expect(
      run.errorOutput == """
        badgectl: line 1: NUL in a line: 'set a\\x00b 1'
        badgectl: line 2: not UTF-8: 'set \u{FFFD} 1'
        badgectl: line 3: line too long: 'more than 65536 bytes'

        """
    )
    #expect(try stage.done("list", "--all") == "c\t1\tnumber\t1\ttrue\n")
  }

  @Test("A batch has one connection, however long it is")
  func usesOneConnection() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    let batch = try stage.spawn("batch", input: .pipe)
    defer { batch.terminate() }
    batch.write(String(repeating: "inc mail\n", count: 50))
    for count in 1...50 { #expect(try batch.readLine() == String(count)) }
    let names = try stage.bus.run(
      "dbus-send",
      [
        "--bus=\(stage.bus.address)", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
        "org.freedesktop.DBus.ListNames",
      ]
    )
    // The daemon, the batch and the one that asks.
    #expect(names.output.split(separator: ":").count - 1 <= 3, "\(names.output)")
  }
}

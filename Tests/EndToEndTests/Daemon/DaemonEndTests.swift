// SPDX-License-Identifier: MIT
import BadgeClient
import DBus
import Glibc
import Testing
import TestSupport

@Suite(.privateBus) struct DaemonEndTests {
  let bus = PrivateBus.current

  @Test("It serves also where its standard descriptors are closed")
  func closedDescriptors() throws {
    let line = #"exec "$0" --no-unity-name --verbose --state "$1" <&- >&- 2>&-"#
    let daemon = try bus.spawn("/bin/sh", ["-c", line, productPath("badged"), bus.statePath])
    let client = try BusClient()
    #expect(try eventually { try client.connection.hasOwner(BusClient.name) })
    for count in 1...3 { try client.call("Set", .string("mail"), .int64(Int64(count))) }
    #expect(try client.count("mail") == 3)
    #expect(daemon.terminate() == .success)
  }

  @Test("It serves also where nobody reads its log, and says how much was lost")
  func unreadLog() throws {
    let fifo = bus.directory.appending("log")
    let line =
      #"mkfifo "$2" && exec 3<>"$2" && "#
      + #"exec "$0" --no-unity-name --verbose --state "$1" 2>"$2""#
    let daemon = try bus.spawn("/bin/sh", ["-c", line, productPath("badged"), bus.statePath, fifo])
    let client = try BadgeClient(address: bus.address)
    #expect(try eventually { try client.connection.hasOwner(BusClient.name) })
    let text = String(repeating: "x", count: 250)
    for number in 1...500 { try client.set("n\(number)", to: text) }
    #expect(try client.list().badges.count == 500)
    let reader = try SpawnedProcess("cat", [fifo])
    #expect(
      try eventually {
        try client.set("mail", to: 1)
        try client.set("mail", to: 2)
        return reader.output.hasLostLines
      }
    )
    #expect(daemon.terminate() == .success)
    #expect(reader.terminate() != nil)
  }

  @Test("SIGHUP, and a reader of its log that goes, end nothing")
  func hangUp() throws {
    let daemon = try bus.startDaemon(["--no-unity-name", "--verbose"])
    daemon.send(signal: SIGHUP)
    daemon.closeReader(of: .error)
    let client = try BusClient()
    for count: Int64 in 1...20 { try client.call("Set", .string("mail"), .int64(count)) }
    #expect(try client.count("mail") == 20)
    #expect(daemon.isRunning)
    #expect(daemon.terminate() == .success)
  }

  @Test("A name that is taken is refused, and by which process")
  func nameTaken() throws {
    let daemon = try bus.startDaemon(["--no-unity-name"])
    let second = try bus.run(
      productPath("badged"),
      ["--state", bus.directory.appending("other")]
    )
    #expect(second.status == .exited(1))
    #expect(
      second.errorOutput == "badged: the name org.badged.Badges1 is taken by process "
        + "\(daemon.processID); --replace takes over\n"
    )
    // The state directory was not touched.
    #expect(contents(ofFile: bus.directory.appending("other/lock")) == nil)
    #expect(daemon.terminate() == .success)
  }

  @Test("A state that a daemon on another bus has is refused")
  func stateTaken() throws {
    let daemon = try bus.startDaemon(["--no-unity-name"])
    let other = try PrivateBus()
    defer { other.stop() }
    let second = try other.run(
      productPath("badged"),
      ["--state", bus.directory.appending("state")]
    )
    #expect(second.status == .exited(1))
    #expect(second.errorOutput.contains("in use by process \(daemon.processID)"))
    #expect(second.errorOutput.count { $0 == "\n" } == 1)
    #expect(daemon.terminate() == .success)
  }

  @Test("Without a bus, or a place for the state, it says so in one line")
  func nothingToServe() throws {
    func fails(_ environment: [String: String], _ text: String) throws {
      let finished = try SpawnedProcess.run(
        productPath("badged"),
        [],
        environment: environment
      )
      #expect(finished.status == .exited(1))
      #expect(finished.errorOutput.hasPrefix("badged: "))
      #expect(finished.errorOutput.contains(text), "\(finished.errorOutput)")
      #expect(finished.errorOutput.count { $0 == "\n" } == 1)
    }
    let home = bus.directory.path
    try fails(
      ["HOME": home, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/none/bus"],
      "no session bus at 'unix:path=/none/bus'"
    )
    try fails(
      ["HOME": home, "DBUS_SESSION_BUS_ADDRESS": "nonsense"],
      "no session bus at 'nonsense'"
    )
    try fails(["DBUS_SESSION_BUS_ADDRESS": bus.address], "use --state DIR")
    try fails(
      ["DBUS_SESSION_BUS_ADDRESS": bus.address, "HOME": "relative", "XDG_STATE_HOME": "also"],
      "neither XDG_STATE_HOME nor HOME"
    )
  }

  @Test("What is called while it ends is done or refused, and what was acknowledged is kept")
  func endUnderLoad() throws {
    let daemon = try bus.startDaemon(["--no-unity-name"])
    let client = try BusClient(subscribes: false)
    var (acknowledged, refused, sent) = (0, 0, 0)
    var isEnding = false
    let isDone = try client.loop.run {
      while refused == 0, sent - acknowledged - refused < 64 {
        try client.send("Increment", [.string("mail"), .int64(1)]) {
          if case .success = $0 { acknowledged += 1 } else { refused += 1 }
        }
        sent += 1
      }
      if acknowledged > 500, !isEnding {
        isEnding = true
        daemon.send(signal: SIGTERM)
      }
      return refused > 0 && acknowledged + refused == sent
    }
    #expect(isDone)
    #expect(try daemon.wait() == .success)
    let next = try bus.startDaemon(["--no-unity-name"])
    // Every call that was handled was acknowledged, and none was lost.
    #expect(try client.count("mail") == Int64(acknowledged))
    next.terminate()
  }
}

@Suite(.privateBus) struct DaemonOptionTests {
  let bus = PrivateBus.current

  @Test("Help and version go to standard output")
  func helpAndVersion() throws {
    let help = try bus.run(productPath("badged"), ["--help"])
    #expect(help.status == .success)
    #expect(help.errorOutput.isEmpty)
    for option in [
      "--replace", "--state DIR", "--no-unity-name", "--address ADDRESS", "--verbose", "--help",
      "--version",
    ] {
      #expect(help.output.contains(option))
    }
    let version = try bus.run(productPath("badged"), ["-V"])
    #expect(version.output.wholeMatch(of: #/badged \d+\.\d+\.\d+\n/#) != nil)
    let tool = try bus.run(productPath("badgectl"), ["--version"])
    #expect(tool.output.split(separator: " ").last == version.output.split(separator: " ").last)
  }

  @Test(
    "What it does not understand is wrong usage",
    arguments: [
      ["--colour"], ["serve"], ["--state"], ["--state="], ["--verbose=yes"], ["-x"], ["--"],
    ]
  )
  func wrongUsage(_ arguments: [String]) throws {
    let finished = try bus.run(productPath("badged"), arguments)
    #expect(finished.status == .exited(2))
    #expect(finished.output.isEmpty)
    #expect(finished.errorOutput.hasPrefix("badged: "))
    #expect(finished.errorOutput.count { $0 == "\n" } == 1)
  }

  @Test("The bus can be given as an argument, the state where it is wanted")
  func addressAndState() throws {
    let state = bus.directory.appending("here")
    var environment = bus.environment
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/none"
    let daemon = try SpawnedProcess(
      productPath("badged"),
      ["--address=\(bus.address)", "--state=\(state)", "--no-unity-name"],
      environment: environment
    )
    try daemon.waitForLine(containing: "serving", from: .error)
    let client = try BusClient()
    #expect(try client.property("StatePath") == .string(state))
    #expect(contents(ofFile: state + "/lock") == "\(daemon.processID)\n")
    #expect(daemon.terminate() == .success)
  }

  @Test("Texts of badges are in the log only where it is verbose", arguments: [false, true])
  func textsInTheLog(_ isVerbose: Bool) throws {
    let daemon = try bus.startDaemon(["--no-unity-name"] + (isVerbose ? ["--verbose"] : []))
    let client = try BusClient()
    try client.call("SetText", .string("mail"), .string("secret"))
    _ = try client.take(1)
    daemon.terminate()
    #expect(daemon.errorOutput.contains("secret") == isVerbose)
    #expect(daemon.errorOutput.contains("'mail'") == isVerbose)
  }
}

extension String {
  fileprivate var hasLostLines: Bool {
    split(separator: "\n").contains { $0.hasSuffix("lines lost here, since nobody read them") }
  }
}

/// The ways the daemon ends.
@Suite(.privateBus) struct EndTests {
  private let bus = PrivateBus.current

  @Test("When the session bus goes, the daemon writes what it has and ends well")
  func busGoes() throws {
    let state = try TemporaryDirectory()
    let session = try PrivateBus()
    let daemon = try session.spawn(productPath("badged"), ["--state", state.appending("s")])
    try daemon.waitForLine(containing: "badged: serving", from: .error)
    let client = try BadgeClient(address: session.address)
    for number in 1...100 { try client.set("mail", to: Int64(number)) }
    session.stop()
    #expect(try daemon.wait() == .success)
    #expect(daemon.errorOutput.contains("the session bus is gone"))

    let next = try bus.spawn(productPath("badged"), ["--state", state.appending("s")])
    try next.waitForLine(containing: "badged: serving 1 badges", from: .error)
    #expect(try bus.badgectl("get", "mail").output == "100\n")
    #expect(next.terminate() == .success)
  }

  @Test("After an end that was asked for, the file alone holds all, without a log beside it")
  func orderlyEnd() throws {
    for signal in [SIGTERM, SIGINT] {
      let daemon = try bus.startDaemon()
      #expect(try bus.badgectl("inc", "mail").status == .success)
      daemon.send(signal: signal)
      #expect(try daemon.wait() == .success)
      let names = try bus.run("ls", [bus.statePath]).output
      #expect(names == "badges.db\nlock\n")
    }
    let daemon = try bus.startDaemon()
    #expect(try bus.badgectl("get", "mail").output == "2\n")
    #expect(daemon.terminate() == .success)
  }
}

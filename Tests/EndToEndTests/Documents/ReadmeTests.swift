// SPDX-License-Identifier: MIT
import Glibc
import Testing
import TestSupport

/// The examples in the README work as described.
@Suite(.privateBus) struct ReadmeTests {
  let bus = PrivateBus.current
  let readme: String
  let environment: [String: String]

  init() throws {
    readme = try Project.text("README.md")
    var environment = bus.environment
    let programs = String(try productPath("badged").dropLast("/badged".count))
    environment["PATH"] = "\(programs):/usr/bin:/bin"
    self.environment = environment
  }

  /// The fenced code blocks of a language.
  private func blocks(_ language: String) -> [String] {
    readme.split(separator: "\n```\(language)\n").dropFirst().map {
      String($0.split(separator: "\n```\n", maxSplits: 1)[0])
    }
  }

  /// The indented commands below a heading, with lines joined at a trailing backslash.
  private func commands(below heading: String) -> [String] {
    let section = readme.split(separator: "\n## \(heading)\n").dropFirst().first ?? ""
    let lines = section.prefix(
      upTo: section.firstRange(of: "\n## ")?.lowerBound ?? section.endIndex
    )
    .split(separator: "\n").filter { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
    return lines.joined(separator: "\n").replacing("\\\n", with: "").split(separator: "\n")
      .map(String.init)
  }

  private func shell(_ command: String) throws -> FinishedProcess {
    try SpawnedProcess.run(
      "bash",
      ["-c", command],
      environment: environment,
      directory: Project.folder,
      within: .seconds(120)
    )
  }

  @Test("The picture of a terminal is what the commands print on one")
  func terminal() throws {
    let programs = String(try productPath("badged").dropLast("/badged".count))
    let drawn = try shell("scripts/terminal-picture '\(programs)'")
    #expect(drawn.status == .success, "\(drawn.errorOutput)")
    // After a change of what is printed: scripts/terminal-picture > docs/terminal.svg
    #expect(try drawn.output == Project.text("docs/terminal.svg"))
  }

  @Test("Each of the five things to do at once succeeds")
  func fiveThings() throws {
    try bus.directory.makeDirectory("Maildir/new")
    try bus.directory.makeDirectory("Maildir/cur")
    let daemon = try bus.startDaemon()
    let commands = commands(below: "Five things to do at once")
    #expect(commands.count == 6)
    for command in commands {
      // Commands that run for ever are tried once here; they have tests of their own.
      let once = command.replacing("--follow ", with: "").replacing(" &", with: "")
      let finished = try shell(once)
      #expect(finished.status == .success, "\(command): \(finished.errorOutput)")
    }
    daemon.terminate()
  }

  @Test("The calls by dbus-send succeed, and set what they say")
  func dbusSend() throws {
    let daemon = try bus.startDaemon()
    for command in commands(below: "With nothing but dbus-send") {
      let finished = try shell(command)
      #expect(finished.status == .success, "\(command): \(finished.errorOutput)")
    }
    #expect(try shell("badgectl get mail; badgectl get mail background").output == "3\n#0099FF\n")
    daemon.terminate()
  }

  @Test("The subscriber in Python sees what there is, and each change with its animation")
  func pythonSubscriber() throws {
    let daemon = try bus.startDaemon()
    #expect(try shell("badgectl set chat 1").status == .success)
    let program = try bus.directory.write(try #require(blocks("python").first), to: "follow.py")
    let subscriber = try SpawnedProcess("/usr/bin/python3", [program], environment: environment)
    let state = try #require(try subscriber.readLine())
    #expect(state.hasPrefix("List 1 {'chat': {") && state.contains("'count': 1"))
    // Wait for each line, since changes within a frame are coalesced.
    let lines = try ["set mail 3", "inc mail", "rm mail"].map { words in
      #expect(try shell("badgectl \(words)").status == .success)
      return try subscriber.readLine() ?? ""
    }
    #expect(lines[0].hasPrefix("Changed mail {") && lines[0].contains("'event': 'appear'"))
    #expect(lines[1].contains("'name': 'bounce'") && lines[1].contains("'direction': 'up'"))
    #expect(lines[2].hasPrefix("Removed mail removed {") && lines[2].contains("'shrink'"))
    daemon.terminate()
  }
}

/// `make run`, with programs that are already built.
@Suite(.processLogs) struct RunTests {
  private func environment(home: String, bus: String?) throws -> [String: String] {
    var environment = [
      "HOME": home, "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "XDG_RUNTIME_DIR": home,
      "TMPDIR": home + "/tmp", "PROGRAMS": try Project.programs(),
    ]
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus
    return environment
  }

  @Test("Without a session bus it prints a line that takes another shell to its own, and cleans up")
  func privateBus() throws {
    let home = try TemporaryDirectory()
    try home.makeDirectory("tmp")
    let environment = try environment(home: home.path, bus: nil)
    let run = try SpawnedProcess(Project.path("scripts/run"), environment: environment)
    let line = try run.waitForLine(containing: "export DBUS_SESSION_BUS_ADDRESS=")
    let shell = { (command: String) in
      try SpawnedProcess.run(
        "sh",
        ["-c", "\(line)\n\(command)"],
        environment: environment,
        directory: Project.folder
      )
    }
    #expect(
      try eventually { try shell("\"$PROGRAMS\"/badgectl set mail 3").status == .success }
    )
    #expect(try shell("\"$PROGRAMS\"/badgectl get mail").output == "3\n")

    run.send(signal: SIGINT)
    #expect(try run.wait() == .success)
    #expect(try shell("\"$PROGRAMS\"/badgectl get mail").status == .exited(4))
    let left = try shell("ls \"$TMPDIR\"; ps -eo args | grep -F \"$TMPDIR\" | grep -v grep")
    #expect(left.output == "")
  }

  @Test("Where there is a session bus it runs there", .privateBus)
  func sessionBus() throws {
    let bus = PrivateBus.current
    let environment = try environment(home: bus.directory.path, bus: bus.address)
    let run = try SpawnedProcess(Project.path("scripts/run"), environment: environment)
    let get = { try bus.run(try Project.programs() + "/badgectl", ["status"]) }
    #expect(try eventually { try get().status == .success })
    #expect(!run.output.contains("export"))
    run.send(signal: SIGTERM)
    #expect(try run.wait() == .success)
  }
}

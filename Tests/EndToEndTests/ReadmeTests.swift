// SPDX-License-Identifier: MIT
import TestSupport
import Testing

/// What the README shows works as it says.
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

  /// The fenced blocks of a language.
  private func blocks(_ language: String) -> [String] {
    readme.split(separator: "\n```\(language)\n").dropFirst().map {
      String($0.split(separator: "\n```\n", maxSplits: 1)[0])
    }
  }

  /// The indented lines below a heading, each a command; a backslash at the end joins two.
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
      within: .seconds(60)
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
      // What follows for ever is tried once here; its own tests follow it.
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
    // What follows within a frame would be one change.
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

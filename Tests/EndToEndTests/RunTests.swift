// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

/// What `make run` does once the programs are built.
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

// SPDX-License-Identifier: MIT
import EventLoop
import Glibc
import TestSupport
import Testing

@Suite struct SpawnedProcessTests {
  @Test func aProgramRunsToItsEndWithBothOutputsAndItsStatus() throws {
    let result = try SpawnedProcess.run("sh", ["-c", "echo out; echo err >&2; exit 3"])
    #expect(result.output == "out\n")
    #expect(result.errorOutput == "err\n")
    #expect(result.status == .exited(3))
  }

  @Test func aChildInheritsNeitherMaskNorIgnoredSignalsNorDescriptorsNorVariables() throws {
    let directory = try TemporaryDirectory()
    let leak = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { _ = close(leak) }
    try #require(fcntl(leak, F_SETFD, 0) == 0)  // would be inherited
    let result = try SpawnedProcess.run(
      "sh",
      ["-c", "grep -E 'Sig(Blk|Ign)' /proc/self/status; ls /proc/$$/fd; env; pwd"],
      environment: ["A": "b"],
      directory: directory.path
    )
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.contains("SigBlk:\t0000000000000000"))
    // The two signals above 31 belong to the C library.
    let ignored = try #require(lines.first { $0.hasPrefix("SigIgn:\t") }?.dropFirst(8))
    #expect(try #require(UInt64(ignored, radix: 16)) & 0x7fff_ffff == 0)
    #expect(!lines.contains("3"))
    #expect(lines.contains("A=b"))
    #expect(!result.output.contains("HOME="))
    #expect(lines.last == directory.path)
  }

  @Test func aProgramThatIsNotThereIsAnError() throws {
    #expect(throws: TestFailure.self) { try SpawnedProcess("/nonexistent") }
    #expect(throws: TestFailure.self) { try SpawnedProcess("true", directory: "/nonexistent") }
  }

  @Test func inputIsGivenAsTextOrLineByLine() throws {
    let long = String(repeating: "0123456789\n", count: 30_000)
    #expect(try SpawnedProcess.run("cat", input: .text(long)).output == long)
    let cat = try SpawnedProcess("cat", input: .pipe)
    cat.write("one\n")
    #expect(try cat.readLine() == "one")
    cat.write("two")
    cat.closeInput()
    #expect(try cat.readLine() == "two")
    #expect(try cat.readLine() == nil)
    #expect(try cat.wait() == .success)
  }

  @Test func aLineIsWaitedForAndItsAbsenceIsReported() throws {
    let process = try SpawnedProcess("sh", ["-c", "echo a; echo b >&2; echo c; exec sleep 60"])
    #expect(try process.waitForLine(containing: "c") == "c")
    #expect(try process.waitForLine(containing: "b", from: .error) == "b")
    let error = #expect(throws: TestFailure.self) {
      try process.readLine(within: .milliseconds(20))
    }
    #expect(error?.description.contains("standard output: a\nc") == true)
    #expect(throws: TestFailure.self) { try process.wait(within: .milliseconds(1)) }
    #expect(process.isRunning)
    #expect(process.terminate() == .signalled(SIGTERM))
    #expect(throws: TestFailure.self) { try process.waitForLine(containing: "d") }
  }

  @Test func aChildThatIgnoresSigtermIsKilled() throws {
    let process = try SpawnedProcess("sh", ["-c", "trap '' TERM; echo; while :; do sleep 1; done"])
    _ = try process.readLine()
    #expect(process.terminate(grace: .milliseconds(200)) == .signalled(SIGKILL))
    #expect(process.terminate() == .signalled(SIGKILL))
  }

  @Test func aChildEndsWithTheObjectThatStandsForIt() throws {
    var process: SpawnedProcess? = try SpawnedProcess("sleep", ["60"])
    let processID = try #require(process).processID
    #expect(kill(processID, 0) == 0)
    process = nil
    #expect(kill(processID, 0) == -1)
  }

  @Test func writingToAClosedReaderFailsInTheChildAndNotInTheTests() throws {
    let process = try SpawnedProcess("sh", ["-c", "read _; exec cat /dev/zero"], input: .pipe)
    process.closeReader(of: .output)
    process.write("go\n")
    #expect(try process.wait() == .signalled(SIGPIPE))
    process.write("nobody listens\n")
  }

  @Test func outputMayGoToAFile() throws {
    let process = try SpawnedProcess(
      "sh",
      ["-c", "echo x || exit 7"],
      outputFile: "/dev/full"
    )
    #expect(try process.wait() == .exited(7))
  }

  @Test func allChildrenOfASuiteThatIsKilledEndWithIt() async throws {
    // The exit test's process starts a child, says which, and is killed before it can tidy up.
    let result = await #expect(
      processExitsWith: .signal(SIGKILL),
      observing: [\.standardErrorContent]
    ) {
      let process = try SpawnedProcess("sleep", ["60"])
      let line = "child \(process.processID)\n"
      _ = unsafe write(2, line, line.utf8.count)
      _ = kill(getpid(), SIGKILL)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("child ") })
    let processID = try #require(pid_t(line.dropFirst("child ".count)))
    #expect(eventually { kill(processID, 0) == -1 })
  }

  @Test func filesOfATemporaryDirectoryGoWithIt() throws {
    var directory: TemporaryDirectory? = try TemporaryDirectory()
    let path = try #require(directory).path
    try directory?.makeDirectory("a/b")
    let file = try #require(try directory?.write("text", to: "a/b/c"))
    #expect(contents(ofFile: file) == "text")
    #expect(unsafe chmod(path + "/a", 0) == 0)
    directory = nil
    #expect(unsafe access(path, F_OK) != 0)
    #expect(contents(ofFile: file) == nil)
  }

  @Test func theProgramsAreFoundBesideTheTests() throws {
    let path = try productPath("badged")
    #expect(path.hasPrefix("/"))
    #expect(path.hasSuffix("/badged"))
    #expect(unsafe access(try productPath("TestSupport.build"), F_OK) == 0)
  }

  @Test func eventuallyGivesUp() throws {
    var asked = 0
    #expect(
      !eventually(within: .milliseconds(5)) {
        asked += 1
        return false
      }
    )
    #expect(asked > 1)
    let loop = try EventLoop()
    #expect(try !loop.run(within: .milliseconds(5)) { false })
  }
}

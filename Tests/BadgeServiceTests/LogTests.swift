// SPDX-License-Identifier: MIT
import CLinux
import EventLoop
import Glibc
import Testing

@testable import BadgeService

@Suite struct LogTests {
  private final class Output {
    var text = ""
    var isRead = true
    var now = Instant(nanoseconds: 0)

    func log(_ style: Log.Style = .program("badged"), isVerbose: Bool = false) -> Log {
      Log(style: style, isVerbose: isVerbose, write: take, now: { self.now })
    }

    private func take(_ line: String) -> Bool {
      if isRead { text += line }
      return isRead
    }
  }

  @Test func aPersonReadsTheProgramsName() {
    let output = Output()
    output.log().error("it broke")
    #expect(output.text == "badged: it broke\n")
  }

  @Test func theJournalReadsPriorities() {
    let output = Output()
    let log = output.log(.priorities, isVerbose: true)
    log.error("a")
    log.warning("b")
    log.information("c")
    log.debug("d")
    #expect(output.text == "<3>a\n<4>b\n<6>c\n<7>d\n")
  }

  @Test func debugLinesAreForTheVerbose() {
    let output = Output()
    output.log().debug("quiet")
    #expect(output.text == "")
  }

  @Test func aMessageIsOneLineWhateverIsInIt() {
    let output = Output()
    output.log().error("a\nbadged: b\u{1b}[31m\tc")
    #expect(output.text == "badged: a\u{FFFD}badged: b\u{FFFD}[31m\u{FFFD}c\n")
  }

  @Test func aFloodIsBoundedAndSaidToBe() {
    let output = Output()
    let log = output.log()
    for _ in 0..<10_000 { log.warning("again") }
    #expect(output.text.count { $0 == "\n" } == Log.linesPerSecond)
    output.text = ""
    output.now = Instant(nanoseconds: 1_000_000_000)
    log.warning("later")
    let leftOut = 10_000 - Log.linesPerSecond
    #expect(output.text == "badged: \(leftOut) lines left out here\nbadged: later\n")
  }

  @Test func linesThatNobodyReadsAreCounted() {
    let output = Output()
    let log = output.log()
    log.warning("a")
    output.isRead = false
    for _ in 0..<3 { log.warning("b") }
    output.isRead = true
    log.warning("c")
    log.warning("d")
    #expect(
      output.text
        == "badged: a\nbadged: 3 lines lost here, since nobody read them\nbadged: c\nbadged: d\n"
    )
  }

  @Test func aLineFitsAPipe() {
    let output = Output()
    output.log().error(String(repeating: "ä", count: 5_000))
    #expect(output.text.hasSuffix("ää…\n"))
    #expect(output.text.utf8.count <= 4_096 && output.text.utf8.count > 3_990)
  }

  @Test func whatIsFullIsNotWaitedFor() throws {
    var ends: [CInt] = [0, 0]
    #expect(unsafe pipe2(&ends, O_CLOEXEC) == 0)
    defer { for end in ends { close(end) } }
    let line = String(repeating: "x", count: 4_095) + "\n"
    var count = 0
    while Log.write(line, to: ends[1]) { count += 1 }
    // 64 KiB are a pipe's size, unless a user has very many of them.
    #expect(count > 0 && count <= 16)
    #expect(!Log.write("y\n", to: ends[1]))
    var page = [UInt8](repeating: 0, count: 4_096)
    #expect(unsafe read(ends[0], &page, page.count) == 4_096)
    #expect(Log.write("y\n", to: ends[1]))
    #expect(!Log.write("z\n", to: -1))
  }

  @Test func theJournalIsKnownByDeviceAndInode() {
    var status = stat()
    _ = unsafe fstat(STDERR_FILENO, &status)
    func isJournal(_ text: String?) -> Bool {
      Log.standardErrorIsJournal { $0 == "JOURNAL_STREAM" ? text : nil }
    }
    #expect(isJournal("\(status.st_dev):\(status.st_ino)"))
    #expect(!isJournal("\(status.st_dev):\(status.st_ino + 1)"))
    #expect(!isJournal(nil))
    #expect(!isJournal("journal"))
    #expect(!isJournal(":"))
  }
}

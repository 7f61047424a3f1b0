// SPDX-License-Identifier: MIT
import TestSupport
import Testing

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
        badgectl: line 7: quote without end: '"'
        badgectl: line 9: no such badge: 'a'
        badgectl: line 9: no such badge: 'b'
        badgectl: line 10: not for a batch: 'watch'

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

// SPDX-License-Identifier: MIT
import BadgeClient
import Testing
import TestSupport

@Suite(.privateBus) struct CommandStateTests {
  private let stage = CommandStage()

  private func fill() throws {
    try stage.done("set", "mail", "2", "--urgent", "--max", "9", "--description", "two\\n \"x\"")
    try stage.done("set", "mail", "3", "--source", "work")
    try stage.done("set", "text", "on air", "--background", "#0123ABCD", "--show-zero")
    try stage.done("set", "text", "4", "--source", "under it")
    try stage.done("set", "dot", "--dot", "--preset", "counter", "--progress", "0.25")
    try stage.done("set", "zero", "0", "--no-dismissable", "--icon", "mail-unread")
    try stage.done("set", "minus", "-7", "--no-animate")
    try stage.done("set", "gone", "5", "--font", "Sans")
    try stage.done("dismiss", "gone")
    try stage.done("set", "gone", "5")
    try stage.done("animations", "off")
  }

  @Test("Export and import give the same badges")
  func roundTrips() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try fill()
    let exported = try stage.done("export")
    let listed = try stage.done("list", "--all", "--json")
    try stage.done("import", input: .text(exported))
    #expect(try stage.done("list", "--all", "--json") == listed)

    try stage.done("rm", "--all")
    try stage.done("animations", "on")
    try stage.done("set", "mail", "x", "--sources", "old=3", "--background", "#000")
    try stage.done("import", input: .text(exported))
    #expect(try stage.done("list", "--all", "--json") == listed)
    #expect(try stage.done("export") == exported)
  }

  @Test("An import leaves other badges alone, or removes them on request")
  func replacesOnRequest() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "other", "1")
    let document = #"{"format":"badged","version":1,"badges":[{"id":"mail","count":3}]}"#
    try stage.done("import", input: .text(document))
    #expect(try stage.done("list") == "mail\t3\tnumber\t3\ttrue\nother\t1\tnumber\t1\ttrue\n")
    try stage.done("import", "--replace", input: .text(document))
    #expect(try stage.done("list") == "mail\t3\tnumber\t3\ttrue\n")
  }

  @Test("An import of which the daemon refuses a part changes nothing")
  func isAllOrNothing() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try fill()
    let listed = try stage.done("list", "--all", "--json")
    // Each badge is valid; only all together exceed the limit of sources.
    let sources = (0..<64).map { "\"s\($0)\":1" }.joined(separator: ",")
    let badges = (0..<65).map { #"{"id":"n\#($0)","sources":{\#(sources)}}"# }
    let mail = ##"{"id":"mail","count":99,"background":"#111111"}"##
    let run = try stage.badgectl(
      "import",
      input: .text(
        #"{"format":"badged","version":1,"animations":true,"badges":["#
          + ([mail] + badges).joined(separator: ",") + "]}"
      )
    )
    #expect(run.status == .exited(1))
    #expect(run.errorOutput.contains("limit"))
    #expect(try stage.done("list", "--all", "--json") == listed)
    #expect(try stage.done("status").contains("\nanimations  off\n"))
  }

  @Test("Do-not-disturb comes back with its end, and is off where that has passed")
  func roundTripsQuiet() throws {
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    let client = try BadgeClient(address: stage.bus.address)
    func settings() throws -> (Bool, UInt64) {
      let status = try client.status()
      return (status.isQuiet, status.quietUntil)
    }
    for until in [4_102_444_800, UInt64(Int64.max)] {
      try client.setQuiet(until: until)
      let exported = try stage.done("export")
      try client.setQuiet(false)
      try stage.done("import", input: .text(exported))
      #expect(try settings() == (true, until))
    }
    func take(_ settings: String) throws {
      try stage.done("import", input: .text(#"{"format":"badged","version":1\#(settings)}"#))
    }
    try take(#","quiet":true,"quiet-until":5"#)
    #expect(try settings() == (false, 0))
    try take(#","quiet-until":4102444800"#)
    #expect(try settings() == (true, 4_102_444_800))
    try take("")
    #expect(try settings() == (true, 4_102_444_800))
    try take(#","quiet":true,"quiet-until":0"#)
    #expect(try settings() == (true, 0))
    try take(#","quiet":false,"quiet-until":0"#)
    #expect(try settings() == (false, 0))
  }

  @Test("State outlives the daemon, and the client does not notice more than that")
  func survivesRestart() throws {
    var daemon = try stage.startDaemon()
    try fill()
    let exported = try stage.done("export")
    daemon.terminate()
    daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    #expect(try stage.done("export") == exported)
  }
}

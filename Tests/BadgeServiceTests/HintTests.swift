// SPDX-License-Identifier: MIT
import BadgeCore
import DBus
import TestSupport
import Testing

@Suite(.privateBus) struct HintTests {
  let fixture: ServiceFixture

  init() throws {
    fixture = try ServiceFixture()
  }

  /// The hint of the one Changed or Removed that a call brings about.
  private func hint(_ member: String, _ arguments: Value...) throws -> [String: Value]? {
    // Frames would hold what follows too closely; a read lets it go.
    _ = try fixture.call("List")
    _ = fixture.takeSignals()
    let reply =
      switch arguments.count {
      case 1: try fixture.call(member, arguments[0])
      case 2: try fixture.call(member, arguments[0], arguments[1])
      default: try fixture.call(member, arguments[0], arguments[1], arguments[2])
      }
    _ = try reply.get()
    _ = try fixture.call("List")
    let signals = fixture.takeSignals().filter { ["Changed", "Removed"].contains($0.member) }
    #expect(signals.count == 1)
    return signals.first?.values[2].entries
  }

  @Test func theCatalogueIsTheContracts() throws {
    let value = try #require(try fixture.property("Catalogue"))
    #expect(value.entries.mapValues(\.entries) == Catalogue.entries)
  }

  @Test func hintsAreCompleteEnoughToPlay() throws {
    let id = Value.string("mail")
    #expect(try hint("Set", id, .int64(1)) == Catalogue.hint("appear", "none", "none"))
    #expect(try hint("Set", id, .int64(5)) == Catalogue.hint("change", "bounce", "up"))
    #expect(try hint("Set", id, .int64(3)) == Catalogue.hint("change", "bounce", "down"))
    #expect(try hint("SetText", id, .string("x")) == Catalogue.hint("change", "bounce", "none"))
    #expect(try hint("Clear", id) == Catalogue.hint("disappear", "shrink", "none"))
    #expect(try hint("Set", id, .int64(-1)) == Catalogue.hint("none", "none", "down"))
    #expect(try hint("Remove", id) == Catalogue.hint("none", "none", "none"))
  }

  @Test func urgencyShakesUntilItIsCalmed() throws {
    let id = Value.string("mail")
    let urgent = Value.namedValues([("urgent", .boolean(true))])
    _ = try hint("Set", id, .int64(1))
    #expect(try hint("Update", id, urgent) == Catalogue.hint("attention", "shake", "none"))
    #expect(try hint("Set", id, .int64(2)) == Catalogue.hint("attention", "shake", "up"))
    #expect(try hint("Acknowledge", id) == Catalogue.hint("calm", "none", "none"))
    #expect(try hint("Set", id, .int64(0)) == Catalogue.hint("disappear", "shrink", "down"))
    #expect(try hint("Update", id, urgent) == Catalogue.hint("none", "none", "none"))
    #expect(try hint("Set", id, .int64(1)) == Catalogue.hint("attention", "shake", "up"))
    #expect(try hint("Remove", id) == Catalogue.hint("disappear", "shrink", "none"))
  }

  @Test(arguments: ["bounce", "shrink", "spring", "shake", "pop", "bump", "blink", "breathe"])
  func eachAnimationCanBeChosen(_ name: String) throws {
    let id = Value.string("mail")
    let style = Value.namedValues([
      ("count", .int64(1)), ("animation-appear", .string(name)),
      ("animation-change", .string(name)), ("animation-disappear", .string(name)),
    ])
    #expect(try hint("Update", id, style) == Catalogue.hint("appear", name, "none"))
    #expect(try hint("Set", id, .int64(2)) == Catalogue.hint("change", name, "up"))
    #expect(try hint("Remove", id) == Catalogue.hint("disappear", name, "none"))
  }
}

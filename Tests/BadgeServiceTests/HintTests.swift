// SPDX-License-Identifier: MIT
import BadgeCore
import DBus
import TestSupport
import Testing

/// The catalogue as the contract has it.
enum Catalogue {
  static let entries: [String: [String: Value]] = [
    "none": ["name": .string("none")],
    "bounce": motion(
      "bounce",
      "scale",
      [(0, 1.5), (1, 1)],
      0.2,
      1,
      timing: [0.4, 1.3, 1, 1]
    ),
    "shrink": motion(
      "shrink",
      "scale",
      [(0, 1), (1, 0)],
      0.2,
      1,
      timing: [0.42, 0, 0.58, 1]
    ),
    "spring": motion("spring", "scale", [(0, 0.1), (1, 1)], 0.5, 1, spring: [0.5, 0.5]),
    "shake": motion("shake", "rotation", [(0, -5), (0.5, 5), (1, -5)], 0.25, 0),
    "pop": motion(
      "pop",
      "scale",
      [(0, 1), (0.143, 0.85), (0.714, 1.05), (0.857, 0.95), (1, 1)],
      0.35,
      1
    ),
    "bump": motion(
      "bump",
      "translate-y",
      [(0, 0), (0.283, -8), (0.565, 0), (0.783, -4), (1, 0)],
      0.46,
      1
    ),
    "blink": motion(
      "blink",
      "opacity",
      [(0, 0.1), (1.0 / 3, 1), (2.0 / 3, 0.1), (1, 1)],
      0.3,
      1
    ),
    "breathe": motion("breathe", "opacity", [(0, 1), (0.5, 0.1), (1, 1)], 2.8, 0),
  ]

  /// A hint as a signal carries it.
  static func hint(_ event: String, _ name: String, _ direction: String) -> [String: Value] {
    var hint = entries[name] ?? [:]
    hint["event"] = .string(event)
    hint["direction"] = .string(direction)
    return hint
  }

  private static func motion(
    _ name: String,
    _ property: String,
    _ keyframes: [(Double, Double)],
    _ duration: Double,
    _ plays: UInt32,
    timing: [Double] = [],
    spring: [Double] = []
  ) -> [String: Value] {
    var entries: [String: Value] = [
      "name": .string(name), "property": .string(property),
      "keyframes": .array(
        Signature(constant: "(dd)"),
        keyframes.map { .structure([.double($0.0), .double($0.1)]) }
      ),
      "duration": .double(duration), "repeat": .uint32(plays),
    ]
    if !timing.isEmpty { entries["timing"] = .structure(timing.map { .double($0) }) }
    if !spring.isEmpty { entries["spring"] = .structure(spring.map { .double($0) }) }
    return entries
  }
}

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
    return signals.first?.values[2].named
  }

  @Test func theCatalogueIsTheContracts() throws {
    let value = try #require(try fixture.property("Catalogue"))
    #expect(value.named.mapValues(\.named) == Catalogue.entries)
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
